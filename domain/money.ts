/** Whole pence, so that sums and comparisons are exact. */
export type Pence = number;

const WHOLE_POUNDS = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'GBP',
  maximumFractionDigits: 0,
});

/**
 * Converts pounds with decimals to pence, rounding half up. First rounds to fifteen digits, which
 * removes the error of binary fractions: 1.005 becomes 101 pence, not 100.
 */
export function poundsToPence(pounds: number): Pence {
  return Math.round(Number((pounds * 100).toPrecision(15)));
}

/** '£1,235' from 123450 pence: whole pounds, rounded half up (Section 9). */
export function formatWholePounds(pence: Pence): string {
  return WHOLE_POUNDS.format(Math.floor((pence + 50) / 100));
}

/** As `formatWholePounds`, from pounds with decimals. */
export function formatPounds(pounds: number): string {
  return formatWholePounds(poundsToPence(pounds));
}

const MAX_POUNDS = 100_000;

/** Reads '400', 'under £1,200' and the like; null unless it is a price from 1 to 100,000. */
export function readPounds(text: string): number | null {
  const digits = text.replace(/^\s*(?:under|up to)\b|[£,\s]/gi, '');
  const pounds = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
  return pounds >= 1 && pounds <= MAX_POUNDS ? pounds : null;
}
