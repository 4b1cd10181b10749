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
  /** The API's field in `facets`, if it has another name. The options of texts are not counted. */
  facet?: string;
  /** What the server compares, if it has another name: see `comparablesOf` in `facet-filters.ts`. */
  of?: string;
  /** The heading in the filter sheet; undefined: only links lead to this filter. */
  legend?: string;
  /** A chosen value in words, and the label of an option, where it differs. */
  words: (value: string, names: FilterNames) => string;
  option?: (value: string) => string;
}

/**
 * A number that a value must reach ('atLeast') or must not exceed ('atMost'), up to `max`, in multiples of `step` if
 * given. `levels` are the options, and `any` is the label of no limit.
 */
interface Limit extends Declared {
  kind: 'atLeast' | 'atMost';
  max: number;
  step?: number;
  levels: readonly number[];
  any: string;
}

/** A declared filter. Codes are capitals, names any text. */
export type Filter = (Declared & { kind: 'pounds' | 'times' | 'flag' | 'text' | 'codes' | 'names' }) | Limit;

export type FilterKind = Filter['kind'];

export type CountedKind = Exclude<FilterKind, 'text'>;

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
    words: poundsWords,
  },
  regions: { kind: 'names', field: 'regions', of: 'region', legend: 'Region', words: String },
  resorts: { kind: 'names', field: 'resorts', of: 'resort', legend: 'Resort', words: String },
  boards: { kind: 'codes', field: 'boards', of: 'board', legend: 'Board', words: boardBasisWords },
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
  sea: {
    kind: 'atMost',
    field: 'maxSeaDistance',
    facet: 'seaDistances',
    of: 'seaDistance',
    max: 500,
    levels: [0.3, 0.5, 1, 2, 5],
    legend: 'Distance to the sea',
    any: 'Any distance',
    words: (most) => `Sea within ${most} km`,
  },
  out: {
    kind: 'times',
    field: 'outbound',
    facet: 'outboundTimes',
    legend: 'Flight out',
    words: (range) => `Out ${range.replace('-', ' to ')}`,
    option: timesOfDay,
  },
  back: {
    kind: 'times',
    field: 'inbound',
    facet: 'inboundTimes',
    legend: 'Flight back',
    words: (range) => `Back ${range.replace('-', ' to ')}`,
    option: timesOfDay,
  },
  flighttime: {
    kind: 'atMost',
    field: 'maxFlightHours',
    facet: 'flightHours',
    of: 'flightHours',
    max: 24,
    step: 0.5,
    levels: [2, 3, 4, 5, 6, 8, 10],
    legend: 'Flight time',
    any: 'Any time',
    words: (most) => `Flight up to ${most} hours`,
  },
  airports: {
    kind: 'codes',
    field: 'airports',
    of: 'airport',
    legend: 'Departure airport',
    words: (code, { airports }) => airportName(airports, code),
  },
  airlines: { kind: 'names', field: 'airlines', of: 'airline', legend: 'Airline', words: String },
  providers: {
    kind: 'codes',
    field: 'providers',
    of: 'provider',
    legend: 'Provider',
    words: (code, { providers }) => providers[code]?.name ?? code,
  },
  bags: { kind: 'flag', field: 'bags', legend: 'Bags', words: () => 'Bag included' },
  freechild: { kind: 'flag', field: 'freeChild', legend: 'Children', words: () => 'Free child place' },
  hotelcode: {
    kind: 'text',
    field: 'hotelCode',
    words: () => 'All rooms and boards of one hotel',
  },
  hotel: { kind: 'text', field: 'hotelName', legend: 'Hotel name', words: (text) => `Hotel: ${text}` },
} as const satisfies Record<string, Filter>;

export type FilterKey = keyof typeof FILTERS;

export const FILTER_ENTRIES = Object.entries(FILTERS) as [FilterKey, Filter][];

/** The API's fields in `refine` of a filter. */
export function fieldsOf({ kind, field }: Filter): string[] {
  return kind === 'pounds' || kind === 'times' ? [`${field}From`, `${field}To`] : [field];
}

/** The filters whose options are counted, with the API's field in `facets`. */
export function facetEntries(): { facet: string; key: FilterKey; kind: CountedKind }[] {
  return FILTER_ENTRIES.flatMap(([key, { kind, field, facet = field }]) =>
    kind === 'text' ? [] : [{ facet, key, kind }],
  );
}

type Values = Record<'pounds' | 'atLeast' | 'atMost', number | null> &
  Record<'times', string | null> &
  Record<'codes' | 'names', string[]> &
  Record<'flag', boolean> &
  Record<'text', string>;

type Named = { value: string; name: string; count: number }[];
type Level = { from: number; count: number }[];

/** The API's facet of each kind of filter. */
interface FacetValues {
  pounds: { from: number; to: number; count: number }[];
  times: { from: string; to: string; count: number }[];
  codes: Named;
  names: Named;
  atLeast: Level;
  atMost: Level;
  flag: number;
}

type FieldsOf<F> = F extends { kind: infer Kind extends FilterKind; field: infer Field extends string }
  ? { [Name in Kind extends 'pounds' | 'times' ? `${Field}${'From' | 'To'}` : Field]: Values[Kind] }
  : never;

type FacetOf<F> = F extends { kind: infer Kind extends keyof FacetValues; field: infer Field extends string }
  ? { [Name in F extends { facet: infer Facet extends string } ? Facet : Field]: FacetValues[Kind] }
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

function poundsWords(range: string): string {
  return range
    .split('-')
    .map((pounds) => `£${Number(pounds).toLocaleString('en-GB')}`)
    .join(' to ');
}
