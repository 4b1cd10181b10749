import * as v from 'valibot';

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
 * A brand's colours: `action` for buttons and links, `onAction` for text on them, `sun` for stars and
 * accents, `sky` behind header and form. Only six hex digits are accepted, because the values are written
 * into a stylesheet.
 */
export const BrandColoursSchema = v.strictObject({
  action: v.optional(colour),
  onAction: v.optional(colour),
  sun: v.optional(colour),
  sky: v.optional(colour),
});

export type BrandColours = v.InferOutput<typeof BrandColoursSchema>;

/** A colour for the light and the dark theme. */
export type ThemedColour = v.InferOutput<typeof themed>;
