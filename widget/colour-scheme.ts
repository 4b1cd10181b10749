export type ColourScheme = 'light' | 'dark';

/** A background with a lower opacity is ignored. */
const MIN_OPACITY = 0.5;

/** A background with at least this perceived lightness, from 0 to 1, is light. */
const MIN_LIGHT = 0.5;

/**
 * Whether an element's background is light or dark, from the nearest opaque background colour, or else from
 * the page's colour scheme. Decides how the widget blends in; its contrast is sufficient either way.
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

/** A computed colour's lightness, from 0 to 1. Null if it is transparent or in an unknown notation. */
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
