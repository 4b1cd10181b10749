import type { PriceDetails } from './package-holiday.ts';

type Priced = Pick<PriceDetails, 'TotalPrice' | 'NumberOfAdults' | 'NumberOfChildren'>;

/** Pounds per adult or, with children, per person (ruling 21). Infants don't count: they hardly pay. */
export function priceEach({ TotalPrice, NumberOfAdults, NumberOfChildren }: Priced): {
  pounds: number;
  unit: 'adult' | 'person';
} {
  return {
    pounds: TotalPrice / (NumberOfAdults + NumberOfChildren),
    unit: NumberOfChildren > 0 ? 'person' : 'adult',
  };
}
