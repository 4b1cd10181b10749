import { createContext } from 'react';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';

/** The brand that the page was painted with before its settings were here: a server may have put another there. */
export type PaintedBrand = Pick<PageConfig, 'brandName' | 'brandLogoUrl'>;

export const PaintedBrandContext = createContext<PaintedBrand>(DEFAULT_PAGE_CONFIG);

/** The brand in the attributes of the page's root element. */
export function readPaintedBrand({ brandName, brandLogo }: DOMStringMap): PaintedBrand {
  return {
    brandName: brandName ?? DEFAULT_PAGE_CONFIG.brandName,
    brandLogoUrl: brandLogo ?? DEFAULT_PAGE_CONFIG.brandLogoUrl,
  };
}
