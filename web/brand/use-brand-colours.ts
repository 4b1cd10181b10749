import { useLayoutEffect } from 'react';
import { type BrandColours, brandProperties } from '../../domain/brand-colours.ts';

/** Sets the brand's colours as the page's custom properties, before the next paint. Our server has painted them already. */
export function useBrandColours(colours: BrandColours | null): void {
  useLayoutEffect(() => {
    if (colours === null) return;
    const { style } = document.documentElement;
    const properties = brandProperties(colours);
    for (const [name, value] of properties) style.setProperty(name, value);
    return () => {
      for (const [name] of properties) style.removeProperty(name);
    };
  }, [colours]);
}
