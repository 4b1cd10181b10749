/** Digits with an optional minus and decimal point: commas, pluses and exponents would be ambiguous. */
const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** The value of a number, or of text in the feeds' form; null for anything else. */
export function readNumber(value: unknown): number | null {
  // Adds 0, because -0 is another key than 0.
  if (typeof value === 'string')
    return DIGITS.test(value) || DIGITS.test(value.trim()) ? Number(value) + 0 : null;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}
