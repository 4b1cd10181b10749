/** A feed that loses more than this share of a provider's packages is looked at by a person first. */
const MOST_SHRINK = 0.3;
/** As is one that moves the median price by more than this share, up or down, */
const MOST_PRICE_MOVE = 0.4;
/** or of whose rows more than this share is refused. */
const MOST_REFUSED = 0.3;

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
  const shrink = before.packages === 0 ? 0 : 1 - after.packages / before.packages;
  if (shrink > MOST_SHRINK) {
    reasons.push(
      `it has ${after.packages} packages where there were ${before.packages}: ${percent(shrink)} fewer`,
    );
  }
  if (before.median !== null && after.median !== null) {
    const move = after.median / before.median - 1;
    if (Math.abs(move) > MOST_PRICE_MOVE) {
      const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`;
      reasons.push(
        `its median price is ${pounds(after.median)} where it was ${pounds(before.median)}: ${percent(Math.abs(move))} ${move > 0 ? 'up' : 'down'}`,
      );
    }
  }
  if (rows > 0 && refused / rows > MOST_REFUSED) {
    reasons.push(`${refused} of its ${rows} rows are refused: ${percent(refused / rows)}`);
  }
  return reasons;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
