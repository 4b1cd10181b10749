import type { DestinationOption } from './destination.ts';
import {
  ANY_LEVEL_SUFFIX,
  countOptions,
  type DestinationIndex,
  type OtherName,
  optionAt,
} from './destination-index.ts';
import { exceedsMaxEdits, MAX_EDITS, maxEdits, wordEditDistance } from './edit-distance.ts';
import { foldText } from './fold-text.ts';
import { searchWords } from './search-words.ts';

/** The best options, up to a limit, and the number of all matches. */
export interface DestinationMatches {
  options: DestinationOption[];
  total: number;
}

const MAX_TEXT_LENGTH = 120;
/** A mask has one bit per typed word. No name has more words than this. */
const MAX_WORDS = 30;
/** The rank of matches by a parent's name. Matches by the own name rank 0, 1 or 2 (country, region, resort). */
const PARENT_RANK = 3;
/** How well a name or an alternative name matches: at its start or inside. 0 means no match. Whole codes come first. */
const MATCH = { code: 5, atStart: 4, inside: 3, otherAtStart: 2, otherInside: 1 } as const;
const MATCH_KINDS = 4;
/** Words that people add to names, as in 'the Algarve' and 'Palma de Mallorca'. */
const SMALL_WORDS = new Set(['and', 'de', 'del', 'di', 'in', 'of', 'the']);

/**
 * The options that match `text`, best first. Tolerates typing errors only if nothing matches
 * exactly. Blank text matches every option.
 */
export function matchDestinations(index: DestinationIndex, text: string, limit = 50): DestinationMatches {
  if (text.trim() === '') {
    const total = countOptions(index);
    const options = Array.from({ length: Math.min(limit, total) }, (_, at) => optionAt(index, at));
    return { options, total };
  }
  const folded = foldPlace(text.trim().slice(0, MAX_TEXT_LENGTH));
  if (folded === '') return { options: [], total: 0 };
  const asWritten = matchExactly(index, folded, limit);
  return asWritten.total > 0 ? asWritten : matchWithTypos(index, folded, limit);
}

/** Folds a label, or what a visitor types: 'U.S.A.' is 'usa'. */
export function foldPlace(text: string): string {
  const whole = stripAnyLevelSuffix(text).replace(/^(.+) \((?:region|resort) only\)/, '$1, $1');
  const initials = /(?<![\p{L}\p{N}])\p{L}(?:\.\s?\p{L})+(?![\p{L}\p{N}])/gu;
  return foldText(whole.replace(initials, (letters) => letters.replace(/[.\s]/g, '')));
}

/** Removes '(any region/any resort)' from a country's label, even if the visitor has deleted its end. */
function stripAnyLevelSuffix(text: string): string {
  const at = text.lastIndexOf(' (');
  return at >= 0 && ANY_LEVEL_SUFFIX.startsWith(text.slice(at).trimEnd().toLowerCase())
    ? text.slice(0, at)
    : text;
}

/**
 * Finds options with all of `text` (folded) in one name, then options with its words in several of their
 * names, such as 'benidorm spain'. Alternative names rank after the list's own.
 */
function matchExactly(index: DestinationIndex, text: string, limit: number): DestinationMatches {
  const { names, level, ownName, regionName, countryName } = index.names;
  const matches = mapToBytes(names, (name) => matchQuality(name, text, MATCH.atStart, MATCH.inside));
  applyOtherNames(
    index,
    matches,
    ({ other, isCode }) =>
      isCode
        ? Number(other === text) * MATCH.code
        : matchQuality(other, text, MATCH.otherAtStart, MATCH.otherInside),
    Math.max,
  );
  const words = distinctWords(text);
  const all = (1 << words.length) - 1;
  const prefixes = text.includes(' ') ? wordPrefixMasks(index, words) : null;
  const found = new RankedOptions(index, MATCH_KINDS * PARENT_RANK + 4, limit);
  for (const option of index.alphabetical) {
    const own = ownName[option] ?? 0;
    const region = regionName[option] ?? 0;
    const country = countryName[option] ?? 0;
    const match = matches[own] ?? 0;
    if (match > 0) {
      const isCode = match === MATCH.code;
      found.add(option, isCode ? 0 : MATCH_KINDS * (level[option] ?? 0) + MATCH.code - match);
    } else if ((matches[region] ?? 0) + (matches[country] ?? 0) > 0) {
      found.add(option, MATCH_KINDS * PARENT_RANK + 1);
    } else if (prefixes !== null) {
      const ownWords = prefixes[own] ?? 0;
      const covered = ownWords | (prefixes[region] ?? 0) | (prefixes[country] ?? 0);
      if (covered === all) found.add(option, MATCH_KINDS * PARENT_RANK + (ownWords === 0 ? 3 : 2));
    }
  }
  return found.best();
}

/**
 * Finds options whose names contain all words of `text` (folded) within `MAX_EDITS` edits in total. Options that
 * need fewer edits come first.
 */
function matchWithTypos(index: DestinationIndex, text: string, limit: number): DestinationMatches {
  const { level, ownName, regionName, countryName } = index.names;
  const editsByWord = distinctWords(text).map((word) => editsInNames(index, word));
  const found = new RankedOptions(index, (MAX_EDITS + 1) * (PARENT_RANK + 1), limit);
  for (const option of index.alphabetical) {
    let edits = 0;
    let editsInOwnName = 0;
    for (const inNames of editsByWord) {
      const own = inNames[ownName[option] ?? 0] ?? 0;
      const region = inNames[regionName[option] ?? 0] ?? 0;
      const country = inNames[countryName[option] ?? 0] ?? 0;
      edits += Math.min(own, region, country);
      editsInOwnName += own;
      if (edits > MAX_EDITS) break;
    }
    if (edits > MAX_EDITS) continue;
    const rank = editsInOwnName === edits ? (level[option] ?? 0) : PARENT_RANK;
    found.add(option, edits * (PARENT_RANK + 1) + rank);
  }
  return found.best();
}

function matchQuality(name: string, text: string, atStart: number, inside: number): number {
  if (name.startsWith(text)) return atStart;
  return name.includes(text) ? inside : 0;
}

/** Gives each name the better score of its own and its alternative names. */
function applyOtherNames(
  { names: { names }, otherNames }: DestinationIndex,
  scores: Uint8Array | Int32Array,
  scoreOf: (other: OtherName) => number,
  better: (one: number, other: number) => number,
): void {
  const scoreOfName = new Map<string, number>();
  for (const otherName of otherNames) {
    const { name } = otherName;
    const score = scoreOf(otherName);
    scoreOfName.set(name, better(scoreOfName.get(name) ?? score, score));
  }
  names.forEach((name, at) => {
    const score = scoreOfName.get(name);
    if (score !== undefined) scores[at] = better(scores[at] ?? score, score);
  });
}

function distinctWords(text: string): string[] {
  const words = [...new Set(text.split(' '))];
  const large = words.filter((word) => !SMALL_WORDS.has(word));
  return (large.length > 0 ? large : words).slice(0, MAX_WORDS);
}

/** A mask per name: bit n is set if the nth typed word is a prefix of one of the name's words. */
function wordPrefixMasks(index: DestinationIndex, typed: readonly string[]): Int32Array {
  const { names } = index;
  const { wordsOfNames, firstWord } = names;
  const prefixes = new Int32Array(names.words.length);
  typed.forEach((start, bit) => {
    for (let word = 0; word < prefixes.length; word += 1) {
      if (names.words[word]?.startsWith(start)) prefixes[word] = (prefixes[word] ?? 0) | (1 << bit);
    }
  });
  const inNames = new Int32Array(names.names.length);
  for (let name = 0; name < inNames.length; name += 1) {
    let words = 0;
    const end = firstWord[name + 1] ?? 0;
    for (let at = firstWord[name] ?? end; at < end; at += 1) words |= prefixes[wordsOfNames[at] ?? 0] ?? 0;
    inNames[name] = words;
  }
  const prefixesIn = ({ other, isCode }: OtherName) =>
    typed.reduce((bits, start, bit) => {
      const isIn = isCode ? other === start : ` ${other}`.includes(` ${start}`);
      return isIn ? bits | (1 << bit) : bits;
    }, 0);
  applyOtherNames(index, inNames, prefixesIn, (one, other) => one | other);
  return inNames;
}

/** For each name, the fewest edits that turn `typed` into a part of it; over `MAX_EDITS` if it needs more. */
function editsInNames(index: DestinationIndex, typed: string): Uint8Array {
  const { names } = index;
  const { wordsOfNames, firstWord } = names;
  const max = maxEdits(typed);
  const noMatch = MAX_EDITS + 1;
  const distanceTo = wordEditDistance(typed);
  const inWords = mapToBytes(names.words, (word, at) =>
    exceedsMaxEdits(typed, names.letterMasks[at] ?? 0, max) ? noMatch : distanceTo(word),
  );
  const inNames = mapToBytes(names.names, (_name, name) => {
    let fewest = noMatch;
    const end = firstWord[name + 1] ?? 0;
    for (let at = firstWord[name] ?? end; at < end; at += 1) {
      fewest = Math.min(fewest, inWords[wordsOfNames[at] ?? 0] ?? noMatch);
    }
    return fewest;
  });
  applyOtherNames(
    index,
    inNames,
    ({ other, isCode }) =>
      isCode && other !== typed ? noMatch : Math.min(...searchWords(other).map(distanceTo)),
    Math.min,
  );
  return inNames;
}

/** As `Uint8Array.from` with a mapping function, but several times faster. */
function mapToBytes<T>(items: readonly T[], toByte: (item: T, at: number) => number): Uint8Array {
  const bytes = new Uint8Array(items.length);
  items.forEach((item, at) => {
    bytes[at] = toByte(item, at);
  });
  return bytes;
}

/** Collects options by rank. They must be added in alphabetical order, so that each rank's list is sorted. */
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
