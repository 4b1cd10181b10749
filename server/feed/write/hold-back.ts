/*
 * In per cent, and compared in whole numbers: of 10 packages 7 are 30% fewer, and not a hair more, as they are in
 * binary fractions.
 */

/** A feed that loses more than this share of a provider's packages is looked at by a person first. */
const MOST_SHRINK = 30;
/** As is one that moves the median price by more than this share, up or down, */
const MOST_PRICE_MOVE = 40;
/** or of whose rows more than this share is refused. */
const MOST_REFUSED = 30;

export interface FeedMeasure {
  /** Packages of the provider before, and their median price in pence; null where there were none. */
  before: { packages: number; median: number | null };
  after: { packages: number; median: number | null };
  rows: number;
  refused: number;
}

/** Why a feed is held back until a person accepts it, in words; none: it is not. */
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

/** To a tenth, so that what is a little more than a bound does not read as the bound. */
function percent(part: number, whole: number): string {
  return `${Math.round((part * 1_000) / whole) / 10}%`;
}
