import { createContext } from 'react';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';

/** The brand that is shown until the configuration is loaded. A server fills in its own. */
export type PrerenderedBrand = Pick<PageConfig, 'brandName' | 'brandLogoUrl'>;

export const PrerenderedBrandContext = createContext<PrerenderedBrand>(DEFAULT_PAGE_CONFIG);

/** Reads the brand from the attributes of the page's root element. */
export function readPrerenderedBrand({ brandName, brandLogo }: DOMStringMap): PrerenderedBrand {
  return {
    brandName: brandName ?? DEFAULT_PAGE_CONFIG.brandName,
    brandLogoUrl: brandLogo ?? DEFAULT_PAGE_CONFIG.brandLogoUrl,
  };
}
