import type { BrandColours } from '../../domain/brand-colours.ts';
import { brandCssProperties } from '../../domain/brand-properties.ts';

/** The stylesheet of a brand's colours, to be loaded after the page's own. The schema admits only hex colours. */
export function brandStyle(colours: BrandColours): string {
  const lines = brandCssProperties(colours).map(([name, value]) => `  ${name}: ${value};`);
  return `:root {\n${lines.join('\n')}\n}\n`;
}
