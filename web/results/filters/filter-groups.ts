import * as v from 'valibot';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import {
  type CountedKind,
  FILTER_ENTRIES,
  FILTERS,
  type Filter,
  type FilterKey,
  type FilterNames,
} from '../../../domain/filters.ts';
import { orWords } from '../../../domain/flexibility.ts';
import { type Refine, refineEntries, withRefine } from '../../../domain/refinements.ts';
import type { ResultFilters } from '../../../domain/result-filters.ts';
import type { Option } from './ChoiceGroup.tsx';

const count = v.pipe(v.number(), v.integer());
const Prices = v.array(v.object({ from: v.number(), to: v.number(), count }));
const Options = v.array(v.object({ value: v.string(), name: v.string(), count }));
const Limits = v.array(v.object({ from: v.number(), count }));
const Times = v.array(v.object({ from: v.string(), to: v.string(), count }));

export type PriceRanges = v.InferOutput<typeof Prices>;

/** A group of the filter sheet. */
export type FilterGroup = { key: FilterKey; legend: string } & (
  | { control: 'slider'; prices: PriceRanges }
  | { control: 'text' }
  /** `any`: the label of the choice without a filter; undefined: several can be chosen. */
  | { control: 'choices'; any: string | undefined; options: Option[] }
);

/** A chosen value in words. */
export function filterWords(key: FilterKey, value: string, names: FilterNames): string {
  const filter: Filter = FILTERS[key];
  return filter.words(value, names);
}

/** An active filter in words, with the change that removes it. */
export interface ActiveFilter {
  words: string;
  cleared: Partial<ResultFilters>;
}

/** The active filters, in the order of the filter sheet: one for each chosen value, or for each filter. */
export function activeFilters(
  { boardBasis, starRating, refine }: ResultFilters,
  names: FilterNames,
  by: 'value' | 'filter',
): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  if (boardBasis !== '') active.push({ words: boardBasisWords(boardBasis), cleared: { boardBasis: '' } });
  if (starRating !== '') active.push({ words: `${starRating} star`, cleared: { starRating: '' } });
  for (const [key, values] of refineEntries(refine)) {
    const words = (value: string) => filterWords(key, value, names);
    const without = (others: string[]) => ({ refine: withRefine(refine, key, others) });
    if (by === 'filter') active.push({ words: orWords(values.map(words)), cleared: without([]) });
    else
      for (const value of values)
        active.push({ words: words(value), cleared: without(values.filter((each) => each !== value)) });
  }
  return active;
}

/**
 * The groups with something to choose from, in the order of the filter sheet. `facets` are as the server sent them
 * (`docs/contracts/graphql.md`): a group whose counts are missing or malformed is left out, unless it is in use.
 */
export function filterGroups(facets: unknown, refine: Refine, names: FilterNames): FilterGroup[] {
  if (typeof facets !== 'object' || facets === null) return [];
  return FILTER_ENTRIES.flatMap(([key, filter]): FilterGroup[] => {
    const { kind, field, facet = field, legend } = filter;
    if (legend === undefined) return [];
    if (kind === 'text') return [{ key, legend, control: 'text' }];
    const counts = (facets as Record<string, unknown>)[facet];
    if (kind === 'pounds') {
      const prices = parsed(Prices, counts);
      return prices.length > 1 || refine[key] ? [{ key, legend, control: 'slider', prices }] : [];
    }
    const label = (value: string) => filter.option?.(value) ?? filter.words(value, names);
    const options = OPTIONS[kind](counts, label, refine[key] ?? []);
    // Every result has the only name that there is.
    const isUseless = kind === 'names' ? options.length < 2 : !options.some((option) => option.count);
    if (!refine[key] && isUseless) return [];
    return [{ key, legend, control: 'choices', any: anyOf(filter), options }];
  });
}

type Label = (value: string) => string;

const OPTIONS: Record<
  Exclude<CountedKind, 'pounds'>,
  (counts: unknown, label: Label, chosen: readonly string[]) => Option[]
> = {
  codes: options,
  names: options,
  times: (counts, label) =>
    parsed(Times, counts).map(({ from, to, count }) => ({
      value: `${from}-${to}`,
      label: label(`${from}-${to}`),
      count,
    })),
  atLeast: limits,
  atMost: limits,
  flag: (counts, label) => [{ value: '1', label: label('1'), count: Number(counts) || 0 }],
};

/** The server knows names that the page's lists lack. */
function options(counts: unknown, label: Label): Option[] {
  return parsed(Options, counts).map(({ value, name, count }) => {
    const words = label(value);
    return { value, label: words === value ? name : words, count };
  });
}

/** If the same hotels pass several limits, only the strictest is informative. A chosen one always stays. */
function limits(counts: unknown, label: Label, chosen: readonly string[]): Option[] {
  return parsed(Limits, counts)
    .map(({ from, count }) => ({ value: String(from), label: label(String(from)), count }))
    .filter(({ value, count }, nth, all) => chosen.includes(value) || count !== all[nth + 1]?.count);
}

function anyOf(filter: Filter): string | undefined {
  if ('any' in filter) return filter.any;
  return filter.kind === 'times' ? 'Any time' : undefined;
}

function parsed<Item>(schema: v.GenericSchema<unknown, Item[]>, counts: unknown): Item[] {
  const read = v.safeParse(schema, counts);
  return read.success ? read.output : [];
}
