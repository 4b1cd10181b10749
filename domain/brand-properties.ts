import type { BrandColours, ThemedColour } from './brand-colours.ts';
import { contrast } from './contrast.ts';

/** The CSS custom properties for a brand's colours, including derived ones. */
export function brandCssProperties({
  action,
  onAction,
  sun,
  sky,
}: BrandColours): [name: string, value: string][] {
  const properties: [string, string][] = [];
  if (action !== undefined) {
    properties.push(
      ['--action', css(action)],
      ['--action-strong', `color-mix(in oklab, ${css(action)} 80%, var(--ink))`],
      ['--action-wash', `color-mix(in oklab, ${css(action)} 14%, var(--paper))`],
    );
  }
  const words = onAction ?? (action && readableTextColour(action));
  if (words !== undefined) properties.push(['--on-action', css(words)]);
  if (sun !== undefined) {
    properties.push(
      ['--sun', css(sun)],
      ['--sun-wash', `color-mix(in oklab, ${css(sun)} 14%, var(--paper))`],
    );
  }
  if (sky !== undefined) {
    properties.push(
      ['--sky-high', css(sky)],
      ['--sky-low', `color-mix(in oklab, ${css(sky)} 50%, var(--ground))`],
    );
  }
  return properties;
}

/** White or near-black for each theme, whichever has more contrast with the theme's colour. */
export function readableTextColour({ light, dark }: ThemedColour): ThemedColour {
  const words = (ground: string) =>
    contrast('#ffffff', ground) >= contrast('#101820', ground) ? '#ffffff' : '#101820';
  return { light: words(light), dark: words(dark) };
}

function css({ light, dark }: ThemedColour): string {
  return `light-dark(${light}, ${dark})`;
}
