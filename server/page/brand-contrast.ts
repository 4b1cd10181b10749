import type { BrandColours, ThemedColour } from '../../domain/brand-colours.ts';
import { readableTextColour } from '../../domain/brand-properties.ts';
import { contrast } from '../../domain/contrast.ts';

/** The colours of the page next to which a brand's appear, as in `web/ui/tokens.css`. */
export const PAPER: ThemedColour = { light: '#fffdf9', dark: '#101d26' };
export const INK: ThemedColour = { light: '#17303b', dark: '#f1eadc' };

/** The contrast that WCAG 2.2 AA requires for text, and for graphics such as stars. */
const TEXT = 4.5;
const GRAPHICS = 3;

/** Describes each pair of colours with too little contrast. */
export function brandContrastWarnings({ action, onAction, sun, sky }: BrandColours): string[] {
  return [
    ...(action === undefined ? [] : lowContrast('action', action, 'the paper', PAPER, TEXT)),
    ...(action === undefined
      ? []
      : lowContrast('onAction', onAction ?? readableTextColour(action), 'action', action, TEXT)),
    ...(sun === undefined ? [] : lowContrast('sun', sun, 'the paper', PAPER, GRAPHICS)),
    ...(sky === undefined ? [] : lowContrast('the ink', INK, 'sky', sky, TEXT)),
  ];
}

function lowContrast(
  name: string,
  colour: ThemedColour,
  on: string,
  ground: ThemedColour,
  min: number,
): string[] {
  return (['light', 'dark'] as const).flatMap((theme) => {
    const found = contrast(colour[theme], ground[theme]);
    if (found >= min) return [];
    return [
      `The brand's colours: ${name} (${colour[theme]}) on ${on} (${ground[theme]}) has a contrast of ${found.toFixed(1)} in the ${theme} theme. It must be at least ${min}.`,
    ];
  });
}
