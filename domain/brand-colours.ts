import * as v from 'valibot';
import { contrast } from './contrast.ts';

const hex = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i, 'a colour such as #0f5a6b'));
const themed = v.strictObject({ light: hex, dark: hex });
const colour = v.union(
  [
    themed,
    v.pipe(
      hex,
      v.transform((one) => ({ light: one, dark: one })),
    ),
  ],
  'a colour such as #0f5a6b, or a light and a dark one',
);

/**
 * A brand's colours: `action` for what can be done, `onAction` for the words on it, `sun` for stars and warmth, `sky`
 * behind header and form. Each is one for both themes, or one for each. Anything but six hex digits is refused: what
 * is taken here is written into a stylesheet.
 */
export const BrandColoursSchema = v.strictObject({
  action: v.optional(colour),
  onAction: v.optional(colour),
  sun: v.optional(colour),
  sky: v.optional(colour),
});

export type BrandColours = v.InferOutput<typeof BrandColoursSchema>;

/** A colour in the light and in the dark. */
export type ThemedColour = v.InferOutput<typeof themed>;

/** The page's custom properties that a brand's colours set, with what follows from them. */
export function brandProperties({
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
  const words = onAction ?? (action && readableOn(action));
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

/** White or near-black, whichever can be read better on a colour. */
export function readableOn({ light, dark }: ThemedColour): ThemedColour {
  const words = (ground: string) =>
    contrast('#ffffff', ground) >= contrast('#101820', ground) ? '#ffffff' : '#101820';
  return { light: words(light), dark: words(dark) };
}

function css({ light, dark }: ThemedColour): string {
  return `light-dark(${light}, ${dark})`;
}
