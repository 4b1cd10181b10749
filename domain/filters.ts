import { type Airport, airportName } from './airport.ts';
import { boardBasisWords } from './board-basis.ts';

/** What codes stand for, if known. */
export interface FilterNames {
  airports: readonly Airport[];
  providers: Readonly<Record<string, { name: string }>>;
}

interface Declared {
  /** The API's field in `refine`. Ranges have two: `<field>From` and `<field>To`. */
  field: string;
  /** The API's field in `facets`; undefined: its options are not counted. */
  facet?: string;
  /** What the server compares: see `filtersOf` in `server/package-search/query/facet-filters.ts`. */
  of: string;
  /** The heading in the filter sheet; undefined: only links lead to this filter. */
  legend?: string;
  /** A chosen value in words, and the label of an option, where it differs. */
  words: (value: string, names: FilterNames) => string;
  option?: (value: string) => string;
  /** The description in the API's schema. */
  note?: string;
}

type Declaration = Declared &
  (
    | { kind: 'pounds' }
    | { kind: 'times' }
    | { kind: 'flag' }
    | { kind: 'text' }
    /** `isCode`: its values are capitals. */
    | { kind: 'choices'; isCode: boolean }
    /**
     * A number that a value must reach ('atLeast') or must not exceed ('atMost'), up to `max`, in multiples of
     * `step` if given. `levels` are the counted options, the strictest last.
     */
    | { kind: 'atLeast' | 'atMost'; max: number; step?: number; levels: readonly number[]; any: string }
  );

/**
 * Every filter beyond the specified ones, by its parameter in the URL, in the order of the filter sheet. This is
 * all that the API's schema, the search, the counts, the URL, the chips and the sheet know of a filter.
 */
export const FILTERS = {
  price: {
    kind: 'pounds',
    field: 'price',
    facet: 'prices',
    of: 'total',
    legend: 'Price',
    words: (range) => range.split('-').map(pounds).join(' to '),
  },
  boards: {
    kind: 'choices',
    field: 'boards',
    facet: 'boards',
    of: 'board',
    isCode: true,
    legend: 'Board',
    words: boardBasisWords,
  },
  minstars: {
    kind: 'atLeast',
    field: 'minStars',
    facet: 'stars',
    of: 'stars',
    max: 7,
    step: 0.5,
    levels: [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5],
    legend: 'Stars',
    any: 'Any stars',
    words: (least) => `${least} ${least === '1' ? 'star' : 'stars'} and up`,
  },
  rating: {
    kind: 'atLeast',
    field: 'minGuestRating',
    facet: 'guestRatings',
    of: 'consumerRating',
    max: 10,
    levels: [5, 6, 7, 8, 9],
    legend: 'Guest rating',
    any: 'Any rating',
    words: (least) => `Guests: ${least} and up`,
    option: (least) => `${least} and up`,
  },
  out: {
    kind: 'times',
    field: 'outbound',
    facet: 'outboundTimes',
    of: 'outbound',
    legend: 'Flight out',
    words: (range) => `Out ${range.replace('-', ' to ')}`,
    option: timesOfDay,
  },
  back: {
    kind: 'times',
    field: 'inbound',
    facet: 'inboundTimes',
    of: 'inbound',
    legend: 'Flight back',
    words: (range) => `Back ${range.replace('-', ' to ')}`,
    option: timesOfDay,
  },
  airports: {
    kind: 'choices',
    field: 'airports',
    facet: 'airports',
    of: 'airport',
    isCode: true,
    legend: 'Departure airport',
    words: (code, { airports }) => airportName(airports, code),
  },
  airlines: {
    kind: 'choices',
    field: 'airlines',
    facet: 'airlines',
    of: 'airline',
    isCode: false,
    legend: 'Airline',
    words: (name) => name,
  },
  providers: {
    kind: 'choices',
    field: 'providers',
    facet: 'providers',
    of: 'provider',
    isCode: true,
    legend: 'Provider',
    words: (code, { providers }) => providers[code]?.name ?? code,
  },
  bags: {
    kind: 'flag',
    field: 'bags',
    facet: 'bags',
    of: 'bags',
    legend: 'Bags',
    words: () => 'Bag included',
  },
  freechild: {
    kind: 'flag',
    field: 'freeChild',
    facet: 'freeChild',
    of: 'freeChild',
    legend: 'Children',
    words: () => 'Free child place',
  },
  hotelcode: {
    kind: 'text',
    field: 'hotelCode',
    of: 'hotelCode',
    words: () => 'All rooms and boards of one hotel',
    note: 'A HotelIdentifierCode: every package of this hotel, whatever SEARCH_COLLAPSE is.',
  },
  hotel: {
    kind: 'text',
    field: 'hotelName',
    of: 'hotelName',
    legend: 'Hotel name',
    words: (text) => `Hotel: ${text}`,
  },
} as const satisfies Record<string, Declaration>;

export type FilterKey = keyof typeof FILTERS;

/** A declared filter, without the types of its own fields. */
export type Filter = Declaration;

export type FilterKind = Filter['kind'];

export const FILTER_ENTRIES = Object.entries(FILTERS) as [FilterKey, Filter][];

/** The API's facet of each kind of filter. */
interface FacetValues {
  pounds: { from: number; to: number; count: number }[];
  times: { from: string; to: string; count: number }[];
  choices: { value: string; name: string; count: number }[];
  atLeast: { from: number; count: number }[];
  atMost: { from: number; count: number }[];
  flag: number;
  text: never;
}

type FieldsOf<F> = F extends { kind: infer Kind; field: infer Field extends string }
  ? Kind extends 'pounds'
    ? { [Name in `${Field}From` | `${Field}To`]: number | null }
    : Kind extends 'times'
      ? { [Name in `${Field}From` | `${Field}To`]: string | null }
      : Kind extends 'choices'
        ? { [Name in Field]: string[] }
        : Kind extends 'flag'
          ? { [Name in Field]: boolean }
          : Kind extends 'text'
            ? { [Name in Field]: string }
            : { [Name in Field]: number | null }
  : never;

type FacetOf<F> = F extends { kind: infer Kind extends FilterKind; facet: infer Facet extends string }
  ? { [Name in Facet]: FacetValues[Kind] }
  : never;

/** Makes one type with the fields of all members of a union. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer Every,
) => void
  ? { [Name in keyof Every]: Every[Name] }
  : never;

/** The API's `refine`, parsed. Null, an empty list, false and '' let every package pass. */
export type Refinements = Merged<FieldsOf<(typeof FILTERS)[FilterKey]>>;

/** The API's counts of each filter's options. */
export type FilterFacets = Merged<FacetOf<(typeof FILTERS)[FilterKey]>>;

/** Names of the API's four times of day, by their start. */
const TIMES_OF_DAY: Record<string, string> = {
  '00:00': 'Night',
  '06:00': 'Morning',
  '12:00': 'Afternoon',
  '18:00': 'Evening',
};

function timesOfDay(range: string): string {
  return `${TIMES_OF_DAY[range.slice(0, 5)] ?? ''} ${range.replace('-', '–')}`.trim();
}

function pounds(amount: string): string {
  return `£${Number(amount).toLocaleString('en-GB')}`;
}
