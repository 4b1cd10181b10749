import type { PriceDetails } from './package-holiday.ts';

type Priced = Pick<PriceDetails, 'TotalPrice' | 'NumberOfAdults' | 'NumberOfChildren'>;

/**
 * What each pays, in pounds: an adult, or with children a person (ruling 21). Infants have no seat and hardly pay, so they
 * don't count.
 */
export function priceEach({ TotalPrice, NumberOfAdults, NumberOfChildren }: Priced): {
  pounds: number;
  unit: 'adult' | 'person';
} {
  return {
    pounds: TotalPrice / (NumberOfAdults + NumberOfChildren),
    unit: NumberOfChildren > 0 ? 'person' : 'adult',
  };
}
