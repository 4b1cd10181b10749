/** A sum of money in whole pence, so that sums and comparisons are exact. */
export type Pence = number;

const WHOLE_POUNDS = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'GBP',
  maximumFractionDigits: 0,
});

/**
 * Pounds with decimals, as the wire has them (ruling 15), to pence, half up.
 * Fifteen significant digits undo what binary fractions add: 1.005 is 101 pence, not 100.
 */
export function poundsToPence(pounds: number): Pence {
  return Math.round(Number((pounds * 100).toPrecision(15)));
}

/** '£1,235' from 123450 pence: whole pounds, rounded half up (Section 9, ruling 10). */
export function formatWholePounds(pence: Pence): string {
  return WHOLE_POUNDS.format(Math.floor((pence + 50) / 100));
}
