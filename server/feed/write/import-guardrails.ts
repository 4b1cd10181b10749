/** Largest shares in percent, compared in integers because floating point would miss 30% of 10. */
const MAX_SHRINK = 30;
const MAX_PRICE_MOVE = 40;
const MAX_REFUSED = 30;

export interface FeedMeasure {
  /** The provider's packages and their median price in pence; null without packages. */
  before: { packages: number; median: number | null };
  after: { packages: number; median: number | null };
  rows: number;
  refused: number;
}

/** Why an import is kept for review until an operator accepts it; usually empty. */
export function reasonsToHold({ before, after, rows, refused }: FeedMeasure): string[] {
  const reasons: string[] = [];
  const fewer = before.packages - after.packages;
  if (isMore(fewer, MAX_SHRINK, before.packages)) {
    reasons.push(
      `${percent(fewer, before.packages)} fewer packages: ${after.packages}, was ${before.packages}`,
    );
  }
  if (before.median !== null && after.median !== null) {
    const move = after.median - before.median;
    if (isMore(Math.abs(move), MAX_PRICE_MOVE, before.median)) {
      const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`;
      reasons.push(
        `median price ${move > 0 ? 'up' : 'down'} ${percent(Math.abs(move), before.median)}: ${pounds(after.median)}, was ${pounds(before.median)}`,
      );
    }
  }
  if (isMore(refused, MAX_REFUSED, rows)) {
    reasons.push(`${percent(refused, rows)} of rows refused: ${refused} of ${rows}`);
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
