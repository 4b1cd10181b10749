import type { PriceDetails } from './package-holiday.ts';

type Priced = Pick<PriceDetails, 'TotalPrice' | 'NumberOfAdults' | 'NumberOfChildren'>;

/**
 * The price in pounds per adult or, with children, per person. Infants don't count, because they
 * pay next to nothing.
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
