/** Nothing written by people piles up more marks on a letter. */
const PILED_MARKS = /\p{M}{4}/u;

/**
 * Controls, line separators, formatting (which reorders or hides), lone surrogates, what Unicode does not assign,
 * and letters and marks that are drawn as nothing; of those only the ones that choose how an emoji looks are plain.
 */
const NOT_PLAIN =
  /(?![\uFE0E\uFE0F])[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;

const EVERY_NOT_PLAIN = new RegExp(NOT_PLAIN, 'gu');

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
  const text = typeof value === 'string' ? value : jsonOf(value);
  return plainLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** A text as one line that moves no cursor, rings no bell and reorders nothing: what is not plain, as its code. */
export function plainLine(text: string): string {
  return text.replace(EVERY_NOT_PLAIN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Reading takes any depth of brackets, writing does not.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}
