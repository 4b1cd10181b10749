/**
 * Digits, with a minus before them or a point and digits behind them. Nothing else, because a comma may stand for
 * thousands or decimals, and what a plus or an exponent means there is not known.
 */
const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** The value of a number, or of a text in the one form that numbers of feeds have; null if it is neither. */
export function readNumber(value: unknown): number | null {
  // Added to zero, because -0 is another key than 0.
  if (typeof value === 'string')
    return DIGITS.test(value) || DIGITS.test(value.trim()) ? Number(value) + 0 : null;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}
