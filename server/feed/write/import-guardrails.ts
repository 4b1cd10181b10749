/*
 * Percentages, compared in integers: 7 instead of 10 packages are exactly 30% fewer, which floating point would miss.
 */

/** A feed that removes more than this share of a provider's packages is held back, */
const MOST_SHRINK = 30;
/** as is one that moves the median price by more than this share, */
const MOST_PRICE_MOVE = 40;
/** or one with more than this share of its rows refused. */
const MOST_REFUSED = 30;

export interface FeedMeasure {
  /** The provider's packages and their median price in pence; null without packages. */
  before: { packages: number; median: number | null };
  after: { packages: number; median: number | null };
  rows: number;
  refused: number;
}

/** The reasons to hold a feed back until a person accepts it; usually none. */
export function reasonsToHold({ before, after, rows, refused }: FeedMeasure): string[] {
  const reasons: string[] = [];
  const fewer = before.packages - after.packages;
  if (isMore(fewer, MOST_SHRINK, before.packages)) {
    reasons.push(
      `it has ${after.packages} packages where there were ${before.packages}: ${percent(fewer, before.packages)} fewer`,
    );
  }
  if (before.median !== null && after.median !== null) {
    const move = after.median - before.median;
    if (isMore(Math.abs(move), MOST_PRICE_MOVE, before.median)) {
      const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`;
      reasons.push(
        `its median price is ${pounds(after.median)} where it was ${pounds(before.median)}: ${percent(Math.abs(move), before.median)} ${move > 0 ? 'up' : 'down'}`,
      );
    }
  }
  if (isMore(refused, MOST_REFUSED, rows)) {
    reasons.push(`${refused} of its ${rows} rows are refused: ${percent(refused, rows)}`);
  }
  return reasons;
}

function isMore(part: number, percentage: number, whole: number): boolean {
  return part * 100 > percentage * whole;
}

/** To a tenth, so that a value just above a limit does not read as the limit. */
function percent(part: number, whole: number): string {
  return `${Math.round((part * 1_000) / whole) / 10}%`;
}
