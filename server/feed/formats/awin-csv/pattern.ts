/** The value's place in a pattern, and the place of anything else. */
const VALUE = '{}';
const PLACES = /(\{\}|\*)/;

/**
 * Reads a value out of a text by a pattern: plain text that must stand there, `{}` once for the value, `*` for
 * anything. `* - {} nights*` reads 7 from 'Hotel Sol - 7 nights all inclusive'. Each place takes as little as it
 * can, in one pass from left to right, so that no text, however made, can make it slow: a regular expression
 * could not promise that. Letter case does not matter.
 */
export function patternReader(pattern: string): (text: string) => string | null {
  // Split by a group, what holds a place comes at every odd index.
  const pieces = pattern.split(PLACES);
  return (text) => {
    const lower = text.toLowerCase();
    // Some letters change their length with their case, and then their places.
    if (lower.length !== text.length) return null;
    let at = 0;
    let value: string | null = null;
    for (let index = 0; index < pieces.length; index += 2) {
      const literal = (pieces[index] ?? '').toLowerCase();
      const place = pieces[index - 1];
      const isLast = index === pieces.length - 1;
      const found = find(lower, literal, at, place !== undefined, isLast);
      if (found === null) return null;
      if (place === VALUE) value = text.slice(at, found).trim();
      at = found + literal.length;
    }
    return value === '' ? null : value;
  };
}

/** One `{}`, and no two places side by side. */
export function isPattern(pattern: string): boolean {
  const pieces = pattern.split(PLACES);
  const places = pieces.filter((_, index) => index % 2 === 1);
  const between = pieces.slice(1, -1).filter((_, index) => index % 2 === 1);
  return places.filter((place) => place === VALUE).length === 1 && between.every((piece) => piece !== '');
}

/** Where `literal` stands from `at` on; exactly there where no place is before it, at the end where it is the last. */
function find(text: string, literal: string, at: number, isFree: boolean, isLast: boolean): number | null {
  if (!isFree)
    return text.startsWith(literal, at) && (!isLast || at + literal.length === text.length) ? at : null;
  if (isLast)
    return text.endsWith(literal) && text.length - literal.length >= at ? text.length - literal.length : null;
  const found = text.indexOf(literal, at);
  return found < 0 ? null : found;
}
