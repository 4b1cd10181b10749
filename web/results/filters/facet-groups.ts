import { type Airport, airportName } from '../../../domain/airport.ts';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import type { RefineKey } from '../../../domain/refinements.ts';
import type { Facets } from '../../search/facets.ts';
import type { Option } from './ChoiceGroup.tsx';

/** A group of the filter sheet. */
export interface FacetGroup {
  key: RefineKey;
  legend: string;
  /** The label of the choice without a filter; undefined: several can be chosen. */
  any?: string;
  options: Option[];
}

/** What values stand for, if known. */
export interface FilterNames {
  airports: readonly Airport[];
  providers: Readonly<Record<string, { name: string }>>;
}

/** A chosen value in words. */
const WORDS: Record<RefineKey, (value: string, names: FilterNames) => string> = {
  price: (range) =>
    range
      .split('-')
      .map((pounds) => `£${Number(pounds).toLocaleString('en-GB')}`)
      .join(' to '),
  boards: boardBasisWords,
  minstars: starWords,
  rating: (least) => `Guests: ${least} and up`,
  out: (range) => `Out ${range.replace('-', ' to ')}`,
  back: (range) => `Back ${range.replace('-', ' to ')}`,
  airports: (code, { airports }) => airportName(airports, code),
  airlines: (name) => name,
  providers: (code, { providers }) => providers[code]?.name ?? code,
  bags: () => 'Bag included',
  freechild: () => 'Free child place',
  hotelcode: () => 'All rooms and boards of one hotel',
  hotel: (text) => `Hotel: ${text}`,
};

export function filterWords(key: RefineKey, value: string, names: FilterNames): string {
  return WORDS[key](value, names);
}

/** '4 stars and up'. */
function starWords(least: string): string {
  return `${least} ${least === '1' ? 'star' : 'stars'} and up`;
}

/** Names of the API's four times of day, by their start. */
const TIMES_OF_DAY: Record<string, string> = {
  '00:00': 'Night',
  '06:00': 'Morning',
  '12:00': 'Afternoon',
  '18:00': 'Evening',
};

/** The groups with something to choose from, in the order of the filter sheet. */
export function facetGroups(facets: Facets, airports: readonly Airport[]): FacetGroup[] {
  const named = (
    list: { value: string; name: string; count: number }[],
    words?: (value: string) => string,
  ): Option[] => list.map(({ value, name, count }) => ({ value, label: words?.(value) ?? name, count }));
  const times = (list: { from: string; to: string; count: number }[]): Option[] =>
    list.map(({ from, to, count }) => ({
      value: `${from}-${to}`,
      label: `${TIMES_OF_DAY[from] ?? ''} ${from}–${to}`.trim(),
      count,
    }));
  // If the same hotels reach several levels, only the highest is informative.
  const levels = (list: { from: number; count: number }[], words: (least: string) => string): Option[] =>
    list
      .map(({ from, count }) => ({ value: String(from), label: words(String(from)), count }))
      .filter(({ count }, nth, all) => count !== all[nth + 1]?.count);
  const groups: FacetGroup[] = [
    { key: 'boards', legend: 'Board', options: named(facets.boards, boardBasisWords) },
    { key: 'minstars', legend: 'Stars', any: 'Any stars', options: levels(facets.stars, starWords) },
    {
      key: 'rating',
      legend: 'Guest rating',
      any: 'Any rating',
      options: levels(facets.guestRatings, (least) => `${least} and up`),
    },
    { key: 'out', legend: 'Flight out', any: 'Any time', options: times(facets.outboundTimes) },
    { key: 'back', legend: 'Flight back', any: 'Any time', options: times(facets.inboundTimes) },
    {
      key: 'airports',
      legend: 'Departure airport',
      options: named(facets.airports, (code) => airportName(airports, code)),
    },
    { key: 'airlines', legend: 'Airline', options: named(facets.airlines) },
    { key: 'providers', legend: 'Provider', options: named(facets.providers) },
    { key: 'bags', legend: 'Bags', options: [{ value: '1', label: 'Bag included', count: facets.bags }] },
    {
      key: 'freechild',
      legend: 'Children',
      options: [{ value: '1', label: 'Free child place', count: facets.freeChild }],
    },
  ];
  return groups.filter(({ options }) => options.some(({ count = 0 }) => count > 0));
}
