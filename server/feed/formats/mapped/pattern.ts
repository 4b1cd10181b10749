/** The placeholder of the value; `*` is the placeholder of any text. */
const VALUE = '{}';
const PLACES = /(\{\}|\*)/;

/**
 * Extracts a value by a pattern of literal text, one `{}` for the value, and `*` for any text: `* - {}
 * nights*` extracts 7 from 'Hotel Sol - 7 nights all inclusive'. Ignores case. Never backtracks, so that no
 * input is slow.
 */
export function patternReader(pattern: string): (text: string) => string | null {
  // Because of the group in the expression, placeholders are at odd indexes.
  const pieces = pattern.split(PLACES);
  return (text) => {
    const lower = lowered(text);
    let at = 0;
    let value: string | null = null;
    for (let index = 0; index < pieces.length; index += 2) {
      const literal = lowered(pieces[index] ?? '');
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

/** Lower case of the same length: keeps letters such as İ, which would become longer. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  const letters = Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });
  return letters.join('');
}

/** Whether a pattern has one `{}` and no adjacent placeholders. */
export function isPattern(pattern: string): boolean {
  const pieces = pattern.split(PLACES);
  const places = pieces.filter((_, index) => index % 2 === 1);
  const between = pieces.slice(1, -1).filter((_, index) => index % 2 === 1);
  return places.filter((place) => place === VALUE).length === 1 && between.every((piece) => piece !== '');
}

/**
 * Finds `literal` at or after `at`: exactly there without a placeholder before it, at the end if it is last.
 */
function find(text: string, literal: string, at: number, isFree: boolean, isLast: boolean): number | null {
  if (!isFree)
    return text.startsWith(literal, at) && (!isLast || at + literal.length === text.length) ? at : null;
  if (isLast)
    return text.endsWith(literal) && text.length - literal.length >= at ? text.length - literal.length : null;
  const found = text.indexOf(literal, at);
  return found < 0 ? null : found;
}
