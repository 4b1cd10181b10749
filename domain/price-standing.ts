/** 'marked': cards warn of the provider's prices. 'hidden': searches leave its packages out. */
export type PriceStanding = 'marked' | 'hidden';

/** Prices that visitors saw, compared with the next ones that the provider gave for the same packages. */
export interface ComparedPrices {
  compared: number;
  /** How many of the next prices were over 5% higher. */
  farHigher: number;
}

const MIN_MARKED = { compared: 20, share: 0.25 };
const MIN_HIDDEN = { compared: 40, share: 0.5 };

/**
 * The standing that prices earn a provider (docs/price-analysis.md); null: good. `groups` are judged
 * separately, because many price checks that agree with a feed must not outweigh the clicks that the next
 * feed contradicts.
 */
export function priceStanding(groups: readonly ComparedPrices[]): PriceStanding | null {
  const isAny = (least: typeof MIN_MARKED) =>
    groups.some(
      ({ compared, farHigher }) => compared >= least.compared && farHigher >= compared * least.share,
    );
  if (isAny(MIN_HIDDEN)) return 'hidden';
  return isAny(MIN_MARKED) ? 'marked' : null;
}
