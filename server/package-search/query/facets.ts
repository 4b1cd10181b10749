import { formatClock } from '../../../domain/day-words.ts';
import { type CountedKind, type FilterFacets, facetEntries } from '../../../domain/filters.ts';
import { type Filter, type Filters, MINUTES_OF_FACET } from './facet-filters.ts';

/** A price in pence of a unit: a hotel or, without collapsing, an offer. */
export interface Priced {
  price: number;
  unit: number;
}

/** A provider's code, and its lowest price in pounds. */
export interface ProviderPrice {
  Brand: string;
  TotalPrice: number;
}

/** For each item, the other packages and providers of its hotel. */
interface OthersOfHotels {
  otherPackages: readonly number[];
  otherProviders: readonly (readonly ProviderPrice[])[];
}

export type Facets = OthersOfHotels & Omit<PriceFacet, 'prices'> & FilterFacets;

/** `SearchFacets` of the schema. `priced` has the prices that pass all other filters, unit by unit. */
export function facetsOf(filters: Filters, priced: readonly Priced[], others: OthersOfHotels): Facets {
  const { prices, ...range } = priceFacet(priced);
  const counted = facetEntries().map(({ facet, key, kind }) => [
    facet,
    kind === 'pounds' ? prices : FACETS[kind](filters[key]),
  ]);
  return { ...others, ...range, ...(Object.fromEntries(counted) as FilterFacets) };
}

const FACETS: Record<Exclude<CountedKind, 'pounds'>, (filter: Filter) => unknown> = {
  codes: named,
  names: named,
  atLeast: (filter) => levels(filter).sort((one, other) => one.from - other.from),
  atMost: (filter) => levels(filter).sort((one, other) => other.from - one.from),
  times,
  flag: (filter) => filter.counts()[0]?.count ?? 0,
};

/** A filter's options, the most frequent first. */
function named(filter: Filter) {
  return filter
    .counts()
    .map(({ option, count }) => ({ value: `${option}`, name: filter.nameOf(`${option}`), count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

function levels(filter: Filter) {
  return filter.counts().map(({ option, count }) => ({ from: Number(option), count }));
}

function times(filter: Filter) {
  return filter.counts().map(({ option, count }) => {
    const from = Number(option);
    return { from: formatClock(from), to: formatClock(from + MINUTES_OF_FACET - 1), count };
  });
}

/** The most ranges in a price facet. */
const MAX_RANGES = 25;

interface PriceFacet {
  minPrice: number | null;
  maxPrice: number | null;
  prices: { from: number; to: number; count: number }[];
}

/** Prices in pounds, in ranges of equal width with round limits. */
function priceFacet(priced: readonly Priced[]): PriceFacet {
  if (priced.length === 0) return { minPrice: null, maxPrice: null, prices: [] };
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (const { price } of priced) {
    min = Math.min(min, price);
    max = Math.max(max, price);
  }
  const width = roundWidth((max - min) / 100 / (MAX_RANGES - 1));
  const rangeOf = (price: number) => Math.floor(price / (width * 100)) - first;
  const first = Math.floor(min / (width * 100));
  const prices = Array.from({ length: rangeOf(max) + 1 }, (_, nth) => ({
    from: (first + nth) * width,
    to: (first + nth + 1) * width,
    count: 0,
  }));
  const lastUnits = prices.map(() => 0);
  for (const { price, unit } of priced) {
    const range = prices[rangeOf(price)];
    if (range === undefined || lastUnits[rangeOf(price)] === unit) continue;
    lastUnits[rangeOf(price)] = unit;
    range.count += 1;
  }
  return { minPrice: min / 100, maxPrice: max / 100, prices };
}

/** Rounds pounds up to a number with only one digit that is not 0, such as 20 or 300. */
function roundWidth(least: number): number {
  const pounds = Math.max(1, least);
  const digit = 10 ** Math.floor(Math.log10(pounds));
  return Math.ceil(pounds / digit) * digit;
}

const TYPES: Record<CountedKind, string> = {
  pounds: '[FacetPrices!]!',
  times: '[FacetTimes!]!',
  codes: '[FacetOption!]!',
  names: '[FacetOption!]!',
  atLeast: '[FacetLevel!]!',
  atMost: '[FacetLevel!]!',
  flag: 'Int!',
};

/** The schema's types of facets. */
export const FACET_TYPES = /* GraphQL */ `
  "What the search would find, on all pages, with each option in place of its own filter's values. Prices in pounds."
  type SearchFacets {
    minPrice: Float
    maxPrice: Float
    ${facetEntries()
      .map(({ facet, kind }) => `${facet}: ${TYPES[kind]}`)
      .join('\n    ')}
    "For each item, how many other packages of its hotel pass all filters."
    otherPackages: [Int!]!
    "For each item, its hotel's other providers with their lowest price among these packages, the lowest first."
    otherProviders: [[ProviderPrice!]!]!
  }

  type ProviderPrice { Brand: String!, TotalPrice: Float! }

  type FacetOption { value: String!, name: String!, count: Int! }

  "A limit, and how many pass it."
  type FacetLevel { from: Float!, count: Int! }

  "From inclusive, to exclusive."
  type FacetPrices { from: Float!, to: Float!, count: Int! }

  "HH:MM, both inclusive."
  type FacetTimes { from: String!, to: String!, count: Int! }
`;
