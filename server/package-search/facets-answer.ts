import { boardBasisWords } from '../../domain/board-basis.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import { MINUTES_OF_FACET } from './facet-filters.ts';
import type { FacetName, FoundFacets } from './package-repository.ts';
import type { Refinements } from './refinements.ts';

interface FacetOption {
  value: string;
  name: string;
  count: number;
}

interface FacetLevel {
  from: number;
  count: number;
}

interface FacetTimes {
  from: string;
  to: string;
  count: number;
}

/** `SearchFacets` of the schema. */
export interface FacetsAnswer {
  minPrice: number | null;
  maxPrice: number | null;
  /** Pounds. */
  prices: { from: number; to: number; count: number }[];
  boards: FacetOption[];
  airports: FacetOption[];
  airlines: FacetOption[];
  providers: FacetOption[];
  stars: FacetLevel[];
  guestRatings: FacetLevel[];
  outboundTimes: FacetTimes[];
  inboundTimes: FacetTimes[];
  bags: number;
  freeChild: number;
}

/** What the store has counted, in the words of the answer. What is chosen is listed even if nothing has it. */
export function facetsAnswer(
  found: FoundFacets | undefined,
  refine: Refinements,
  catalogue: Catalogue,
): FacetsAnswer {
  const counts = (name: FacetName) => found?.options[name] ?? [];
  const prices = found?.prices ?? null;

  /** Options in the order of their counts. */
  function named(
    name: 'boards' | 'airports' | 'airlines' | 'providers',
    optionOf: (option: number | string) => Named,
    optionNamed: (text: string) => Named,
  ): FacetOption[] {
    const options = counts(name).map(([option, count]) => ({ ...optionOf(option), count }));
    for (const chosen of refine[name].map(optionNamed)) {
      if (!options.some(({ value }) => value === chosen.value)) options.push({ ...chosen, count: 0 });
    }
    return options.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  }

  function levels(name: 'stars' | 'guestRatings', unit: number, chosen: number | null): FacetLevel[] {
    const options = counts(name).map(([level, count]) => ({ from: Number(level) / unit, count }));
    const isListed = chosen === null || options.some(({ from }) => from === chosen);
    const all = isListed ? options : [...options, { from: chosen, count: 0 }];
    return all.sort((one, other) => one.from - other.from);
  }

  function times(name: 'outboundTimes' | 'inboundTimes'): FacetTimes[] {
    const byMinute = new Map(counts(name));
    return TIMES.map((from) => ({
      from: clock(from),
      to: clock(from + MINUTES_OF_FACET - 1),
      count: byMinute.get(from) ?? 0,
    }));
  }

  return {
    minPrice: prices && prices.min / 100,
    maxPrice: prices && prices.max / 100,
    prices: (prices?.buckets ?? []).map(({ from, to, count }) => ({ from: from / 100, to: to / 100, count })),
    boards: named(
      'boards',
      (id) => board(recordOf(catalogue.boards, Number(id))),
      (code) => board(catalogue.boardsCoded(code)[0] ?? { code }),
    ),
    airports: named(
      'airports',
      (id) => coded(recordOf(catalogue.airports, Number(id))),
      (code) => coded(catalogue.airportsCoded(code)[0] ?? { code, name: code }),
    ),
    airlines: named('airlines', airline, airline),
    providers: named(
      'providers',
      (id) => coded(recordOf(catalogue.providers, Number(id))),
      (code) => coded(catalogue.providersCoded(code)[0] ?? { code, name: code }),
    ),
    stars: levels('stars', 2, refine.minStars),
    guestRatings: levels('guestRatings', 1, refine.minGuestRating),
    outboundTimes: times('outboundTimes'),
    inboundTimes: times('inboundTimes'),
    bags: counts('bags')[0]?.[1] ?? 0,
    freeChild: counts('freeChild')[0]?.[1] ?? 0,
  };
}

const TIMES = [0, 1, 2, 3].map((nth) => nth * MINUTES_OF_FACET);

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

type Named = Omit<FacetOption, 'count'>;

function coded({ code, name }: { code: string; name: string }): Named {
  return { value: code, name };
}

function board({ code }: { code: string }): Named {
  return { value: code, name: boardBasisWords(code) };
}

function airline(name: number | string): Named {
  return { value: String(name), name: String(name) };
}
