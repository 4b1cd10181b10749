import type { Pence } from '../../../domain/money.ts';
import { memoize } from '../../lib/memoize.ts';
import { NOT_UTF8, textTrouble, withoutHidden } from './feed-text.ts';

/** How many checked names are cached: those with accents or stray blanks are slow to check, and feeds repeat them. */
const KEPT_NAMES = 10_000;

/** Words of printable ASCII, separated by single spaces. */
const TIDY = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Reads a field's value; null if it is invalid, and `troubleOf` says why. */
export interface FeedField<T> {
  read: (value: unknown) => T | null;
  troubleOf: (value: unknown) => string;
}

/** A field that `read` parses; `trouble` is the reason if it returns null. */
export function parsed<T>(read: (value: unknown) => T | null, trouble: string): FeedField<T> {
  return { read, troubleOf: () => trouble };
}

/** A field of text that `read` parses. */
export function parsedText<T>(read: (text: string) => T | null, trouble: string) {
  return parsed((value) => (typeof value === 'string' ? read(value) : null), trouble);
}

/**
 * A name to show: without markup, spaces normalised, composed (NFC), without characters that hide or reorder text.
 * `troubleIn` returns the reason to refuse a text, or null. It must accept all printable ASCII.
 */
export function name(max: number, troubleIn: (text: string) => string | null = () => null) {
  const troubleOf = (text: string) => textTrouble(text, max) ?? troubleIn(text);
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : isExact(value) ? String(value) : null;
  const readText = memoize(KEPT_NAMES, (written: string) => {
    const text = tidied(written);
    return troubleOf(text) === null ? text : null;
  });
  return {
    read: (value: unknown) => {
      const text = textOf(value);
      if (text === null) return null;
      return text.length <= max && TIDY.test(text) && !text.includes('<') ? text : readText(text);
    },
    troubleOf: (value: unknown) => {
      const text = textOf(value);
      if (text !== null) return troubleOf(tidied(text)) ?? 'is not text';
      return Number.isFinite(value) ? 'is a number with too many digits: write it as text' : 'is not text';
    },
  };
}

/** Longer texts than names, each in as many rows as a hotel has. */
const KEPT_PROSE = 2_000;

/** A text with markup is at most this many times longer than what is shown of it. */
const MARKUP_FACTOR = 4;

/** Text to show without markup, entities, control and hidden characters; cut to `max` characters. */
export function prose(max: number) {
  const read = memoize(KEPT_PROSE, (written: string) => plainProse(decoded(written), max));
  return parsedText(
    (text) => (text.includes(NOT_UTF8) ? null : read(text.slice(0, MARKUP_FACTOR * max))),
    'is not text in UTF-8',
  );
}

/** Short texts, one a line: a list, or text separated by commas, semicolons, bars or line breaks. */
export function textList(most: number, max: number) {
  const read = memoize(KEPT_PROSE, (written: string) => {
    const texts = decoded(written)
      .split(/[,;|\n\r]/)
      .map((text) => plainProse(text, max));
    const byName = new Map(texts.filter(Boolean).map((text) => [text.toLowerCase(), text]));
    return [...byName.values()].slice(0, most).join('\n');
  });
  const isText = (value: unknown) => typeof value === 'string' && !value.includes(NOT_UTF8);
  return parsed((value) => {
    const texts = Array.isArray(value) ? value : [value];
    return texts.every(isText) ? read(texts.join('\n').slice(0, MARKUP_FACTOR * most * max)) : null;
  }, 'is not a list of texts in UTF-8');
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' };

function decoded(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39|nbsp);/g,
    (entity) => ENTITIES[entity as keyof typeof ENTITIES],
  );
}

function plainProse(written: string, max: number): string {
  const text = tidied(withoutHidden(written));
  if (text.length <= max) return text;
  return `${text.slice(0, max).replace(/\s+\S*$|[\ud800-\udbff]$/, '')}…`;
}

/** Whether a number is exactly as written: JSON rounds whole numbers of more than 15 digits. */
function isExact(value: unknown): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Trimmed upper-case text that matches `form`. */
export function capitals(form: RegExp, trouble: string) {
  return parsedText((text) => {
    if (form.test(text)) return text;
    const written = text.trim().toUpperCase();
    return form.test(written) ? written : null;
  }, trouble);
}

/** A whole number of `what`. */
export function wholeFrom(from: number, to: number, what: string) {
  return decimalFrom(from, to, 1, `${from} to ${to} ${what}`);
}

/** A multiple of `step`, or any number if `step` is 0; `what` describes it in the reason. */
export function decimalFrom(from: number, to: number, step: number, what: string) {
  return {
    read: (value: unknown) => {
      const number = readNumber(value);
      if (number === null || number < from || number > to) return null;
      return step === 0 || Number.isInteger(number / step) ? number : null;
    },
    troubleOf: (value: unknown) => `is not ${what}${readNumber(value) === null ? `, ${IN_DIGITS}` : ''}`,
  };
}

/** Added to the error if a value is not a number: "+7 is not 1 to 60 nights" would be confusing. */
const IN_DIGITS = 'written in digits with at most one point';

/** Refused in prices, because 90.000 may mean ninety thousand. */
const THREE_DECIMALS = /\.\d{3}$/;

/** The rounding error to accept, in pence. Programs that add pounds and pence write 99.30000000000001. */
const ROUNDING = 1e-6;

/** Converts pounds with at most two decimals to pence. */
export const pounds = parsed((value): Pence | null => {
  const amount = readNumber(value);
  if (amount === null || (typeof value === 'string' && THREE_DECIMALS.test(value.trim()))) return null;
  const pence = amount * 100;
  return Math.abs(pence - Math.round(pence)) < ROUNDING ? Math.round(pence) : null;
}, 'is not an amount in pounds such as 1234.50, in digits with at most two decimals');

const MARKUP = /<\/?[a-z][^<>]*>|<!--.*?-->/gi;

/** Longer texts are refused anyway, and markup is slow to find in them. */
const MAX_TIDIED = 8_000;

function tidied(text: string): string {
  if (text.length > MAX_TIDIED || (TIDY.test(text) && !text.includes('<'))) return text;
  return text.replace(MARKUP, ' ').replace(/ {2,}/g, ' ').trim().normalize('NFC');
}

/** Digits with an optional minus and decimal point: commas, pluses and exponents would be ambiguous. */
const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** The value of a number, or of text that matches `DIGITS`; null for anything else. */
export function readNumber(value: unknown): number | null {
  // Adding 0 turns -0 into 0: as keys, they would differ.
  if (typeof value === 'string')
    return DIGITS.test(value) || DIGITS.test(value.trim()) ? Number(value) + 0 : null;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}
