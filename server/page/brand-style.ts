import type { BrandColours } from '../../domain/brand-colours.ts';
import { brandCssProperties } from '../../domain/brand-properties.ts';

/** The brand's colours, to load after the page's own stylesheet. The schema admits only hex colours. */
export function brandStyle(colours: BrandColours): string {
  const lines = brandCssProperties(colours).map(([name, value]) => `  ${name}: ${value};`);
  // Browsers that lack these functions show the default colours.
  return `@supports (color: light-dark(#000, #fff)) {\n:root {\n${lines.join('\n')}\n}\n}\n`;
}
