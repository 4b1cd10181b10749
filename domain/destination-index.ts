import { type Destination, type DestinationOption, type DestinationTuple, placeName } from './destination.ts';
import type { DestinationNames } from './destination-names.ts';
import { createInterner, indexNames, OWN_LEVEL } from './destination-names.ts';
import { foldText } from './fold-text.ts';
import { lazy } from './lazy.ts';

/**
 * The search index of the destination field. Stores each name once and the rest as numeric arrays, so that it
 * can be sent to a worker in a few values. Only the `destination-*` modules use it.
 */
export interface DestinationIndex {
  /** Each distinct name as spelled in the list. Position 0 is the blank name. */
  readonly spellings: readonly string[];
  /** Positions in `spellings` of each option's country, region and resort. Countries come first. */
  readonly tuples: Uint32Array;
  /** The positions of all options in alphabetical order, regardless of their kind. */
  readonly alphabetical: Uint32Array;
  readonly names: DestinationNames;
  readonly otherNames: readonly OtherName[];
}

/** An alternative name, folded. Searching for `other` also finds every place called `name`. */
export interface OtherName {
  name: string;
  other: string;
  /** Whether it is an abbreviation or an airport's code, which visitors type whole. */
  isCode: boolean;
}

/** A name in two or three capitals, such as 'PMI' or 'UAE'. */
const CODE = /^[A-Z]{2,3}$/;

export const ANY_LEVEL_SUFFIX = ' (any region/any resort)';
const KINDS = ['country', 'region', 'resort'] as const;
const collator = lazy(() => new Intl.Collator('en-GB'));

/** Indexes each place once, in its first spelling. Sorts them in advance, because collation is slow. */
export function indexDestinations(destinations: readonly Destination[]): DestinationIndex {
  const byTuple = collectOptions(destinations);
  const ordered = sortAlphabetically([...byTuple.values()]);
  const options = [
    ...ordered.filter(({ kind }) => kind === 'country'),
    ...ordered.filter(({ kind }) => kind === 'region'),
    ...ordered.filter(({ kind }) => kind === 'resort'),
  ];
  const position = new Map(options.map((option, at) => [option, at]));
  const written = createInterner((name) => name);
  return {
    tuples: Uint32Array.from(options.flatMap(({ tuple }) => tuple.map(written.idOf))),
    spellings: written.values,
    alphabetical: Uint32Array.from(ordered, (option) => position.get(option) ?? 0),
    names: indexNames(options),
    otherNames: [],
  };
}

/** Adds alternative names of places. The keys are the list's names: `{ Turkey: ['Türkiye'] }`. */
export function withOtherNames(
  index: DestinationIndex,
  otherNames: Readonly<Record<string, readonly string[]>>,
): DestinationIndex {
  const folded = Object.entries(otherNames).flatMap(([name, others]) =>
    others.map((other) => ({ name: foldText(name), other: foldText(other), isCode: CODE.test(other) })),
  );
  return { ...index, otherNames: folded.filter(({ name, other }) => name !== '' && other !== '') };
}

export function countOptions({ alphabetical }: DestinationIndex): number {
  return alphabetical.length;
}

/** The option at a position. */
export function optionAt(
  { spellings: written, tuples, names }: DestinationIndex,
  position: number,
): DestinationOption {
  const nameAt = (level: number) => written[tuples[3 * position + level] ?? 0] ?? '';
  const tuple = [nameAt(0), nameAt(1), nameAt(2)] as const;
  const kind = KINDS[names.level[position] ?? 0] ?? 'country';
  return { kind, label: destinationLabel(tuple), tuple };
}

/**
 * 'Spain (any region/any resort)', 'Costa Blanca, Spain' or 'Benidorm, Costa Blanca, Spain', without blank
 * levels. A place called like its parent is 'Paphos (resort only), Cyprus'.
 */
export function destinationLabel(tuple: DestinationTuple): string {
  const [country, region, resort] = tuple;
  if (country !== '' && region === '' && resort === '') return country + ANY_LEVEL_SUFFIX;
  const [own, ...parents] = [resort, region, country].filter((name) => name !== '');
  if (own === undefined || own !== parents[0]) return placeName(tuple);
  return [`${own} (${resort === '' ? 'region' : 'resort'} only)`, ...parents.slice(1)].join(', ');
}

function collectOptions(destinations: readonly Destination[]): Map<string, DestinationOption> {
  const byTuple = new Map<string, DestinationOption>();
  const add = (kind: DestinationOption['kind'], tuple: DestinationTuple): DestinationOption => {
    const key = tupleKey(tuple);
    const option = byTuple.get(key) ?? { kind, label: destinationLabel(tuple), tuple };
    byTuple.set(key, option);
    return option;
  };
  // A region's only resort of the same name is that region.
  const others = new Set(
    destinations.flatMap(({ country, region, resort }) =>
      resort === '' || resort === region ? [] : [country + region],
    ),
  );
  for (const { country, region, resort } of destinations) {
    const [firstCountry] = add('country', [country, '', '']).tuple;
    const firstRegion = region === '' ? '' : add('region', [firstCountry, region, '']).tuple[1];
    if (resort !== '' && (resort !== region || others.has(country + region)))
      add('resort', [firstCountry, firstRegion, resort]);
  }
  return byTuple;
}

function tupleKey(tuple: DestinationTuple): string {
  return tuple.map((name) => name.trim().toLowerCase()).join('\n');
}

/** Sorts by the option's own name, then by kind, region and country. */
function sortAlphabetically(options: readonly DestinationOption[]): DestinationOption[] {
  const names = [...new Set(options.flatMap(({ tuple }) => tuple))].sort(collator().compare);
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? 0;
  return options
    .map((option) => {
      const [country, region] = option.tuple;
      const level = OWN_LEVEL[option.kind];
      return { option, key: [placeOf(option.tuple[level]), level, placeOf(region), placeOf(country)] };
    })
    .sort((one, other) => compareKeys(one.key, other.key))
    .map(({ option }) => option);
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return (one[at] ?? 0) - (other[at] ?? 0);
}
