import type { DestinationOption } from './destination.ts';
import { ANY_LEVEL_SUFFIX, countOptions, type DestinationIndex, optionAt } from './destination-index.ts';
import { exceedsMaxEdits, MAX_EDITS, maxEdits, wordEditDistance } from './edit-distance.ts';
import { foldText } from './fold-text.ts';
import { searchWords } from './search-words.ts';

/** The best options, at most as many as asked for, and how many match in all. */
export interface DestinationMatches {
  options: DestinationOption[];
  total: number;
}

const MAX_TEXT_LENGTH = 120;
/** More words than any name has; the bits of a mask hold them. */
const MAX_WORDS = 30;
/** Country, region and resort options rank 0, 1 and 2; then the rest, which match only through a parent. */
const REST = 3;
/** How well a name holds the text: at its start, further on, or so in another name of the place; 0 is not at all. */
const HOLDS = { atStart: 4, inside: 3, otherAtStart: 2, otherInside: 1 } as const;
const WAYS = 4;

/**
 * The options that `text` matches, in the order of ruling 2. Only where nothing matches as written are
 * typing slips forgiven. Blank text matches every option.
 */
export function matchDestinations(index: DestinationIndex, text: string, limit = 50): DestinationMatches {
  if (text.trim() === '') {
    const total = countOptions(index);
    const options = Array.from({ length: Math.min(limit, total) }, (_, at) => optionAt(index, at));
    return { options, total };
  }
  const folded = foldText(stripAnyLevelSuffix(text).trim().slice(0, MAX_TEXT_LENGTH));
  if (folded === '') return { options: [], total: 0 };
  const asWritten = matchExactly(index, folded, limit);
  return asWritten.total > 0 ? asWritten : matchWithTypos(index, folded, limit);
}

/** A country's label is searched for by its country, also where its end is half deleted. */
export function stripAnyLevelSuffix(text: string): string {
  const at = text.lastIndexOf(' (');
  return at >= 0 && ANY_LEVEL_SUFFIX.startsWith(text.slice(at).trimEnd().toLowerCase())
    ? text.slice(0, at)
    : text;
}

/**
 * Options with the whole of `text` (folded, not blank) in a name of theirs; after them those that hold its
 * words in several of their names, such as 'benidorm spain', each word at the start of one of theirs. Another name
 * of a place counts as a name of its level, behind the name that the list has.
 */
function matchExactly(index: DestinationIndex, text: string, limit: number): DestinationMatches {
  const { names, level, ownName, regionName, countryName } = index.names;
  const holds = mapToBytes(names, (name) => holding(name, text, HOLDS.atStart, HOLDS.inside));
  addOtherNames(
    index,
    holds,
    (other) => holding(other, text, HOLDS.otherAtStart, HOLDS.otherInside),
    Math.max,
  );
  const words = wordsIn(text);
  const all = (1 << words.length) - 1;
  const begun = words.length > 1 ? wordPrefixMasks(index, words) : null;
  const found = new RankedOptions(index, WAYS * REST + 3, limit);
  for (const option of index.alphabetical) {
    const own = ownName[option] ?? 0;
    const region = regionName[option] ?? 0;
    const country = countryName[option] ?? 0;
    const way = holds[own] ?? 0;
    if (way > 0) {
      found.add(option, WAYS * (level[option] ?? 0) + WAYS - way);
    } else if ((holds[region] ?? 0) + (holds[country] ?? 0) > 0) {
      found.add(option, WAYS * REST);
    } else if (begun !== null) {
      const ownWords = begun[own] ?? 0;
      const held = ownWords | (begun[region] ?? 0) | (begun[country] ?? 0);
      if (held === all) found.add(option, WAYS * REST + (ownWords === 0 ? 2 : 1));
    }
  }
  return found.best();
}

/**
 * Options each of whose words in `text` (folded, not blank) is in a name of theirs once a slip or two are
 * forgiven over all of the text: fewest slips first, then ranked as if written right.
 */
function matchWithTypos(index: DestinationIndex, text: string, limit: number): DestinationMatches {
  const { level, ownName, regionName, countryName } = index.names;
  const slipsByWord = wordsIn(text).map((word) => editsInNames(index, word));
  const found = new RankedOptions(index, (MAX_EDITS + 1) * (REST + 1), limit);
  for (const option of index.alphabetical) {
    let slips = 0;
    let slipsInOwnName = 0;
    for (const inNames of slipsByWord) {
      const own = inNames[ownName[option] ?? 0] ?? 0;
      const region = inNames[regionName[option] ?? 0] ?? 0;
      const country = inNames[countryName[option] ?? 0] ?? 0;
      slips += Math.min(own, region, country);
      slipsInOwnName += own;
      if (slips > MAX_EDITS) break;
    }
    if (slips > MAX_EDITS) continue;
    const rank = slipsInOwnName === slips ? (level[option] ?? 0) : REST;
    found.add(option, slips * (REST + 1) + rank);
  }
  return found.best();
}

function holding(name: string, text: string, atStart: number, inside: number): number {
  if (name.startsWith(text)) return atStart;
  return name.includes(text) ? inside : 0;
}

/** Lets the names of places be worth what their other names are worth: `better` of the two. */
function addOtherNames(
  { names: { names }, otherNames }: DestinationIndex,
  worths: Uint8Array | Int32Array,
  worthOf: (other: string) => number,
  better: (one: number, other: number) => number,
): void {
  const called = new Map<string, number>();
  for (const { name, other } of otherNames) {
    const worth = worthOf(other);
    called.set(name, better(called.get(name) ?? worth, worth));
  }
  names.forEach((name, at) => {
    const worth = called.get(name);
    if (worth !== undefined) worths[at] = better(worths[at] ?? worth, worth);
  });
}

function wordsIn(text: string): string[] {
  return [...new Set(text.split(' '))].slice(0, MAX_WORDS);
}

/** For each name a bit for every word of `typed` that one of the name's words begins with. */
function wordPrefixMasks(index: DestinationIndex, typed: readonly string[]): Int32Array {
  const { names } = index;
  const { wordsOfNames, firstWord } = names;
  const begun = new Int32Array(names.words.length);
  typed.forEach((start, bit) => {
    for (let word = 0; word < begun.length; word += 1) {
      if (names.words[word]?.startsWith(start)) begun[word] = (begun[word] ?? 0) | (1 << bit);
    }
  });
  const inNames = new Int32Array(names.names.length);
  for (let name = 0; name < inNames.length; name += 1) {
    let words = 0;
    const end = firstWord[name + 1] ?? 0;
    for (let at = firstWord[name] ?? end; at < end; at += 1) words |= begun[wordsOfNames[at] ?? 0] ?? 0;
    inNames[name] = words;
  }
  const begunIn = (other: string) =>
    typed.reduce((bits, start, bit) => (` ${other}`.includes(` ${start}`) ? bits | (1 << bit) : bits), 0);
  addOtherNames(index, inNames, begunIn, (one, other) => one | other);
  return inNames;
}

/** For each name the fewest slips that make `typed` a part of it; more than `MOST_SLIPS` when it is not. */
function editsInNames(index: DestinationIndex, typed: string): Uint8Array {
  const { names } = index;
  const { wordsOfNames, firstWord } = names;
  const most = maxEdits(typed);
  const tooMany = MAX_EDITS + 1;
  const slipsTo = wordEditDistance(typed);
  const inWords = mapToBytes(names.words, (word, at) =>
    exceedsMaxEdits(typed, names.letterMasks[at] ?? 0, most) ? tooMany : slipsTo(word),
  );
  const inNames = mapToBytes(names.names, (_name, name) => {
    let fewest = tooMany;
    const end = firstWord[name + 1] ?? 0;
    for (let at = firstWord[name] ?? end; at < end; at += 1) {
      fewest = Math.min(fewest, inWords[wordsOfNames[at] ?? 0] ?? tooMany);
    }
    return fewest;
  });
  addOtherNames(index, inNames, (other) => Math.min(...searchWords(other).map(slipsTo)), Math.min);
  return inNames;
}

/** `Uint8Array.from` with a function takes several times as long. */
function mapToBytes<T>(items: readonly T[], toByte: (item: T, at: number) => number): Uint8Array {
  const bytes = new Uint8Array(items.length);
  items.forEach((item, at) => {
    bytes[at] = toByte(item, at);
  });
  return bytes;
}

/**
 * Collects options rank by rank. They are added in alphabetical order, so that each rank's list is in order
 * as it stands and nothing is sorted while someone types.
 */
class RankedOptions {
  readonly #index: DestinationIndex;
  readonly #ranks: number[][];
  readonly #limit: number;
  #total = 0;

  constructor(index: DestinationIndex, ranks: number, limit: number) {
    this.#index = index;
    this.#ranks = Array.from({ length: ranks }, () => []);
    this.#limit = limit;
  }

  add(option: number, rank: number): void {
    this.#total += 1;
    const list = this.#ranks[rank];
    if (list !== undefined && list.length < this.#limit) list.push(option);
  }

  best(): DestinationMatches {
    const best = this.#ranks.flat().slice(0, this.#limit);
    return { options: best.map((option) => optionAt(this.#index, option)), total: this.#total };
  }
}
