import { boardBasisWords } from '../../../domain/board-basis.ts';
import { formatClock } from '../../../domain/day-words.ts';
import type { Catalogue } from '../../inventory/catalogue.ts';
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

export type Facets = ReturnType<typeof facetsOf>;

/** `SearchFacets` of the schema. `priced` has the prices that pass all other filters, unit by unit. */
export function facetsOf(
  filters: Filters,
  priced: readonly Priced[],
  others: OthersOfHotels,
  catalogue: Catalogue,
) {
  return {
    ...others,
    ...priceFacet(priced),
    boards: named(filters.boards, boardBasisWords),
    airports: named(filters.airports, (code) => catalogue.airportsCoded(code)[0]?.name),
    airlines: named(filters.airlines),
    providers: named(filters.providers, (code) => catalogue.providersCoded(code)[0]?.name),
    stars: levels(filters.stars),
    guestRatings: levels(filters.guestRatings),
    outboundTimes: times(filters.outboundTimes),
    inboundTimes: times(filters.inboundTimes),
    bags: filters.bags.counts()[0]?.count ?? 0,
    freeChild: filters.freeChild.counts()[0]?.count ?? 0,
  };
}

/** A filter's options, the most frequent first. */
function named(filter: Filter, nameOf: (code: string) => string | undefined = () => undefined) {
  return filter
    .counts()
    .map(({ option, count }) => ({ value: `${option}`, name: nameOf(`${option}`) ?? `${option}`, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

function levels(filter: Filter) {
  return filter
    .counts()
    .map(({ option, count }) => ({ from: Number(option), count }))
    .sort((one, other) => one.from - other.from);
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

/** The schema's types of facets. */
export const FACET_TYPES = /* GraphQL */ `
  "What the search would find, on all pages, with each option in place of its own filter's values. Prices in pounds."
  type SearchFacets {
    minPrice: Float
    maxPrice: Float
    prices: [FacetPrices!]!
    boards: [FacetOption!]!
    airports: [FacetOption!]!
    airlines: [FacetOption!]!
    providers: [FacetOption!]!
    stars: [FacetLevel!]!
    guestRatings: [FacetLevel!]!
    outboundTimes: [FacetTimes!]!
    inboundTimes: [FacetTimes!]!
    bags: Int!
    freeChild: Int!
    "For each item, how many other packages of its hotel pass all filters."
    otherPackages: [Int!]!
    "For each item, its hotel's other providers with their lowest price among these packages, the lowest first."
    otherProviders: [[ProviderPrice!]!]!
  }

  type ProviderPrice { Brand: String!, TotalPrice: Float! }

  type FacetOption { value: String!, name: String!, count: Int! }

  "This number and up."
  type FacetLevel { from: Float!, count: Int! }

  "From inclusive, to exclusive."
  type FacetPrices { from: Float!, to: Float!, count: Int! }

  "HH:MM, both inclusive."
  type FacetTimes { from: String!, to: String!, count: Int! }
`;
