/** More combining marks on one letter than people write. */
const PILED_MARKS = /\p{M}{4}/u;

/**
 * Control characters, line separators, format characters (which reorder or hide text), lone surrogates,
 * unassigned and invisible characters. Allows variation selectors for emoji.
 */
const NOT_PLAIN =
  /(?![\uFE0E\uFE0F])[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;

const EVERY_NOT_PLAIN = new RegExp(NOT_PLAIN, 'gu');

/** What decoders substitute for invalid UTF-8. */
export const NOT_UTF8 = '\uFFFD';

/** Why a text cannot be shown, or null. Does not check markup: text from a feed is never rendered as HTML. */
export function textTrouble(text: string, max: number): string | null {
  if (text.length === 0) return 'is blank';
  if (text.length > max) return `is longer than ${max} characters`;
  if (/^[\x20-\x7e]*$/.test(text)) return null;
  if (text.includes(NOT_UTF8)) return 'is not UTF-8 text';
  if (NOT_PLAIN.test(text)) return 'has control or invisible characters';
  if (PILED_MARKS.test(text)) return 'has too many combining marks on a letter';
  return null;
}

/** A text in one line without invisible characters, and with few marks on a letter. */
export function withoutHidden(text: string): string {
  return text
    .replace(EVERY_NOT_PLAIN, (character) => (/[\s\p{Cc}]/u.test(character) ? ' ' : ''))
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ');
}

/** A value made safe for terminals and reports: shortened, with codes for invisible characters. */
export function harmless(value: unknown, max = 120): string {
  const text = typeof value === 'string' ? value : jsonOf(value);
  return plainLine(text.length > max ? `${text.slice(0, max)}…` : text);
}

/** A text as one line, with codes for control and invisible characters. */
export function plainLine(text: string): string {
  return text.replace(EVERY_NOT_PLAIN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // JSON.parse reads any depth of nesting, JSON.stringify does not.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}
