import { createContext } from 'react';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';

/** The brand that the page was painted with before its settings were here: a server may have put another there. */
export type PrerenderedBrand = Pick<PageConfig, 'brandName' | 'brandLogoUrl'>;

export const PrerenderedBrandContext = createContext<PrerenderedBrand>(DEFAULT_PAGE_CONFIG);

/** The brand in the attributes of the page's root element. */
export function readPrerenderedBrand({ brandName, brandLogo }: DOMStringMap): PrerenderedBrand {
  return {
    brandName: brandName ?? DEFAULT_PAGE_CONFIG.brandName,
    brandLogoUrl: brandLogo ?? DEFAULT_PAGE_CONFIG.brandLogoUrl,
  };
}
