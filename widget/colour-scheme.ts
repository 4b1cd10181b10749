export type ColourScheme = 'light' | 'dark';

/** A more transparent background is ignored. */
const MIN_OPACITY = 0.5;

/** Backgrounds from this perceived lightness (0 to 1) are light. */
const MIN_LIGHT = 0.5;

/**
 * Whether the background of an element is light or dark, by the nearest opaque background colour or else the page's
 * colour scheme. It affects how the widget blends in, not its contrast.
 */
export function colourSchemeBehind(element: Element): ColourScheme {
  for (let one: Element | null = element; one !== null; one = parentOf(one)) {
    const lightness = backgroundLightness(getComputedStyle(one).backgroundColor);
    if (lightness !== null) return lightness >= MIN_LIGHT ? 'light' : 'dark';
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

/** The lightness of a computed colour, from 0 (black) to 1 (white); null if it is transparent or in an unknown notation. */
export function backgroundLightness(colour: string): number | null {
  const [, name = '', values = ''] = /^([a-z]+)\((.*)\)$/.exec(colour) ?? [];
  const [first = 0, second = 0, third = 0, alpha = 1] = (values.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(
    Number,
  );
  if (alpha <= MIN_OPACITY || values === '') return null;
  if (name === 'rgb' || name === 'rgba') return lightnessOfRgb(first / 255, second / 255, third / 255);
  if (name === 'color' && values.startsWith('srgb ')) return lightnessOfRgb(first, second, third);
  if (name === 'oklch' || name === 'oklab') return first;
  if (name === 'lch' || name === 'lab') return first / 100;
  return null;
}

function lightnessOfRgb(red: number, green: number, blue: number): number {
  return Math.cbrt(0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2);
}
