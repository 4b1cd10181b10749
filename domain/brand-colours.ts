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
