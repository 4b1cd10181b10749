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
