import { expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { sortPackages } from '../../domain/sort-and-page.ts';
import { FURTHER_SORTS, SORT_OPTIONS } from '../../domain/sort-by.ts';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { runSearch } from '../search/run-search.ts';
import type { SearchClient, SearchRequest } from '../search/search-client.ts';
import { type SearchResults, whatIsNeeded } from '../search/search-results.ts';
import type { HolidaySearch } from '../search/search-url.ts';

/* Choosing an order after any other shows what a new search in that order shows, against a naive server. */

interface Offer {
  key: string;
  /** One hotel may have a record, with a code and stars, per provider. */
  hotel: number;
  code: string;
  brand: string;
  stars: number;
  rating: number;
  day: string;
  minute: number;
  board: string;
  price: number;
}

/** Four hotels. The second has two providers; the last has a single package. */
const RECORDS = [
  { hotel: 1, code: 'A', brand: 'SUN', stars: 4, rating: 8, packages: 14 },
  { hotel: 2, code: 'B', brand: 'SUN', stars: 3, rating: 9, packages: 9 },
  { hotel: 2, code: 'C', brand: 'SEA', stars: 3.5, rating: 7, packages: 9 },
  { hotel: 3, code: 'D', brand: 'SEA', stars: 5, rating: 6, packages: 14 },
  { hotel: 4, code: 'E', brand: 'SEA', stars: 4, rating: 8.5, packages: 1 },
];

const OFFERS: readonly Offer[] = RECORDS.flatMap(({ packages, ...record }, at) =>
  Array.from({ length: packages }, (_, nth) => {
    const mixed = (nth * 37 + at * 11) % 101;
    return {
      ...record,
      key: `${record.code}${nth}`,
      day: addDays(SEARCH.date ?? '', (mixed % 7) - 3),
      minute: 360 + ((mixed * 29) % 700),
      board: mixed % 2 === 0 ? 'HB' : 'AI',
      price: 900 + ((mixed * 53) % 600),
    };
  }),
);

const RANKS: Record<SearchRequest['sortBy'], (offer: Offer) => [number | string, number]> = {
  PRICE_ASC: ({ price }) => [price, 0],
  PRICE_DESC: ({ price }) => [-price, 0],
  DEPARTURE_DATE_ASC: ({ day, minute, price }) => [Date.parse(day) / 60_000 + minute, price],
  DEPARTURE_DATE_DESC: ({ day, minute, price }) => [-Date.parse(day) / 60_000 - minute, price],
  STAR_RATING_DESC: ({ stars, price }) => [-stars, price],
  STAR_RATING_ASC: ({ stars, price }) => [stars, price],
  GUEST_RATING_DESC: ({ rating, price }) => [-rating, price],
};

function matching({ startDate, endDate, duration }: PackageSearchFilters, refine: object = {}): Offer[] {
  const { boards, minStars = 0 } = refine as { boards?: string[]; minStars?: number };
  return OFFERS.filter(
    ({ day, board, stars }) =>
      day >= startDate &&
      addDays(day, duration) <= endDate &&
      (boards?.includes(board) ?? true) &&
      stars >= minStars,
  );
}

/** Each hotel's first package in the requested order, or every package. */
function naiveServer(collapses: boolean): SearchClient {
  return async ({ filters, refine, sortBy }) => {
    const rank = RANKS[sortBy];
    const all = matching(filters, refine).sort((one, other) => {
      const [a, b] = [rank(one), rank(other)];
      return Number(a[0]) - Number(b[0]) || a[1] - b[1];
    });
    const offers = all.filter(
      ({ hotel }, nth) => !collapses || all.findIndex((each) => each.hotel === hotel) === nth,
    );
    const ofHotel = (offer: Offer) => all.filter(({ hotel }) => hotel === offer.hotel);
    return {
      items: offers.map(toItem),
      nextToken: null,
      hasMoreData: false,
      count: offers.length,
      facets: {
        otherPackages: offers.map((offer) => ofHotel(offer).length - 1),
        otherProviders: offers.map((offer) => {
          const others = Map.groupBy(ofHotel(offer), ({ brand }) => brand);
          others.delete(offer.brand);
          return [...others].map(([Brand, theirs]) => ({
            Brand,
            TotalPrice: Math.min(...theirs.map(({ price }) => price)),
          }));
        }),
      },
    };
  };
}

function toItem({ key, code, brand, stars, rating, day, minute, board, price }: Offer) {
  const clock = new Date(minute * 60_000).toISOString().slice(11, 16);
  return {
    ItemKey: key,
    TotalPrice: price,
    HotelIdentifierCode: code,
    Brand: brand,
    Hotel: JSON.stringify({ HotelName: code, StarRating: stars, ConsumerRating: rating }),
    Flight: JSON.stringify({ DepartureDateTime_Outbound: `${day}T${clock}:00+01:00` }),
    AdditionalData: '{}',
    DepartureDate: day,
    Duration: 7,
    BoardBasis: board,
    NumberOfAdults: 2,
  };
}

async function opened(search: HolidaySearch, loaded: SearchResults | null, client: SearchClient) {
  const need = whatIsNeeded(loaded, search);
  if (need === 'nothing' && loaded !== null) return loaded;
  return runSearch(search, {
    client,
    brandCode: 'SKY',
    hasFacets: true,
    signal: new AbortController().signal,
    loaded: need === 'more' ? loaded : null,
  });
}

const ORDERS = [...SORT_OPTIONS, ...FURTHER_SORTS].map(({ value }) => value);
const FLEXIBLE = { ...SEARCH.flexibility, days: 3 };

it.each<[string, Partial<HolidaySearch>, boolean]>([
  ['one day', {}, true],
  ['flexible days', { flexibility: FLEXIBLE }, true],
  ['a filter', { flexibility: FLEXIBLE, refine: { boards: ['AI'] } }, true],
  ['a single match a hotel', { refine: { minstars: ['5'] } }, true],
  ['every package of a hotel', { flexibility: FLEXIBLE }, false],
])('shows what a new search in the order shows: %s', async (_, search, collapses) => {
  const client = naiveServer(collapses);
  for (const first of ORDERS) {
    // The loaded packages, in the first order.
    const before = await opened({ ...SEARCH, ...search, sortBy: first }, null, client);
    for (const sortBy of ORDERS) {
      const then = { ...SEARCH, ...search, sortBy };
      const results = await opened(then, before, client);
      const direct = await opened(then, null, client);
      const keys = ({ packages, scores }: SearchResults) =>
        sortPackages(packages, sortBy, scores).map(({ ItemKey }) => ItemKey);
      const order = `${first}, then ${sortBy}`;
      if (collapses) expect(keys(results), order).toEqual(keys(direct));
      else expect(keys(results).sort(), order).toEqual(keys(direct).sort());
    }
  }
});
