export type ColourScheme = 'light' | 'dark';

/** A background that lets more than half of what is behind it through does not decide. */
const OPAQUE = 0.5;

/** From this lightness up (0 to 1, as the eye sees it) a background counts as light. */
const LIGHT = 0.5;

/**
 * Whether an element stands on a light or a dark background: the nearest opaque background colour behind it, or else the
 * colour scheme of the page. The widget's own background is opaque, so the answer decides how well it blends in, and not
 * whether it can be read.
 */
export function colourSchemeBehind(element: Element): ColourScheme {
  for (let one: Element | null = element; one !== null; one = parentOf(one)) {
    const lightness = backgroundLightness(getComputedStyle(one).backgroundColor);
    if (lightness !== null) return lightness >= LIGHT ? 'light' : 'dark';
  }
  const schemes = getComputedStyle(document.documentElement).colorScheme.split(' ');
  if (!schemes.includes('dark')) return 'light';
  if (!schemes.includes('light')) return 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function parentOf(element: Element): Element | null {
  if (element.parentElement !== null) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * The lightness of a computed colour, from 0 for black to 1 for white. Null if it is transparent, or in a notation that
 * is not known.
 */
export function backgroundLightness(colour: string): number | null {
  const [, name = '', values = ''] = /^([a-z]+)\((.*)\)$/.exec(colour) ?? [];
  const [first = 0, second = 0, third = 0, alpha = 1] = (values.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(
    Number,
  );
  if (alpha <= OPAQUE || values === '') return null;
  if (name === 'rgb' || name === 'rgba') return lightnessOfRgb(first / 255, second / 255, third / 255);
  if (name === 'color' && values.startsWith('srgb ')) return lightnessOfRgb(first, second, third);
  if (name === 'oklch' || name === 'oklab') return first;
  if (name === 'lch' || name === 'lab') return first / 100;
  return null;
}

function lightnessOfRgb(red: number, green: number, blue: number): number {
  return Math.cbrt(0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2);
}
