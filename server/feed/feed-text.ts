/** Nothing written by people piles up more marks on a letter. */
const PILED_MARKS = /\p{M}{4}/u;

/** Controls, formatting (which reorders or hides), lone surrogates, and what Unicode does not assign. */
const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u;

/** What a decoder puts in the place of bytes that are no UTF-8. */
export const NOT_UTF8 = '\uFFFD';

/** What is wrong with a text that people will read, or null. A text from a feed is only ever text. */
export function textTrouble(text: string, longest: number): string | null {
  if (text.length === 0) return 'is blank';
  if (text.length > longest) return `is longer than ${longest} characters`;
  if (/^[\x20-\x7e]*$/.test(text)) return null;
  if (text.includes(NOT_UTF8)) return 'is not UTF-8 text';
  if (NOT_PLAIN.test(text)) return 'has control or invisible characters';
  if (PILED_MARKS.test(text)) return 'has letters with piles of marks';
  return null;
}

/**
 * A text that is safe to print in a terminal and to keep in a report: short, and with everything but plain
 * characters written as its code.
 */
export function harmless(value: unknown, longest = 120): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return short.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
