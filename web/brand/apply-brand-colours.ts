import type { BrandColours } from '../../domain/brand-colours.ts';
import { brandCssProperties } from '../../domain/brand-properties.ts';

/** Sets a brand's colours as CSS custom properties. Returns a function that removes them. */
export function applyBrandColours(colours: BrandColours): () => void {
  // The oldest supported browsers have no light-dark(): they keep the default colours.
  if (!CSS.supports('color', 'light-dark(#000, #fff)')) return () => {};
  const { style } = document.documentElement;
  const properties = brandCssProperties(colours);
  for (const [name, value] of properties) style.setProperty(name, value);
  return () => {
    for (const [name] of properties) style.removeProperty(name);
  };
}
