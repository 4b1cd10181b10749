import type { BrandColours, ThemedColour } from '../../domain/brand-colours.ts';
import { readableTextColour } from '../../domain/brand-properties.ts';
import { contrast } from '../../domain/contrast.ts';

/** The page's own colours that a brand's meet, as `web/ui/tokens.css` has them. */
export const PAPER: ThemedColour = { light: '#fffdf9', dark: '#101d26' };
export const INK: ThemedColour = { light: '#17303b', dark: '#f1eadc' };

/** WCAG 2.2 AA: words, and signs such as stars. */
const WORDS = 4.5;
const SIGNS = 3;

/** A sentence for each pair of colours that too many people cannot tell apart. */
export function brandContrastWarnings({ action, onAction, sun, sky }: BrandColours): string[] {
  return [
    ...(action === undefined ? [] : lowContrast('action', action, 'the paper', PAPER, WORDS)),
    ...(action === undefined
      ? []
      : lowContrast('onAction', onAction ?? readableTextColour(action), 'action', action, WORDS)),
    ...(sun === undefined ? [] : lowContrast('sun', sun, 'the paper', PAPER, SIGNS)),
    ...(sky === undefined ? [] : lowContrast('the ink', INK, 'sky', sky, WORDS)),
  ];
}

function lowContrast(
  name: string,
  colour: ThemedColour,
  on: string,
  ground: ThemedColour,
  least: number,
): string[] {
  return (['light', 'dark'] as const).flatMap((theme) => {
    const found = contrast(colour[theme], ground[theme]);
    if (found >= least) return [];
    return [
      `The brand's colours: ${name} (${colour[theme]}) on ${on} (${ground[theme]}) has a contrast of ${found.toFixed(1)} in the ${theme} theme, and needs ${least}.`,
    ];
  });
}
