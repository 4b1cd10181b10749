import { type DestinationIndex, type DestinationMatches, optionAt } from './destination-match.ts';
import { forgivenSlips, lacksTooMany, slipMeter } from './typing-slips.ts';

/** More words than any name has; the bits of a mask hold them. */
const MOST_WORDS = 30;
const MOST_SLIPS = 2;
/** Country, region and resort options rank 0, 1 and 2; then the rest, which match only through a parent. */
const REST = 3;

/**
 * Options with the whole of `text` (folded, not blank) in a name of theirs; after them those that hold its
 * words in several of their names, such as 'benidorm spain', each word at the start of one of theirs.
 */
export function matchAsWritten(index: DestinationIndex, text: string, limit: number): DestinationMatches {
  const { names, level, ownName, regionName, countryName } = index.names;
  const holds = eachAsByte(names, (name) => (name.includes(text) ? 1 : 0));
  const words = wordsIn(text);
  const all = (1 << words.length) - 1;
  const begun = words.length > 1 ? namesWithWordsBegun(index, words) : null;
  const found = new RankedOptions(index, 2 * REST + 3, limit);
  for (const option of index.alphabetical) {
    const own = ownName[option] ?? 0;
    const region = regionName[option] ?? 0;
    const country = countryName[option] ?? 0;
    if (holds[own] === 1) {
      found.add(option, 2 * (level[option] ?? 0) + (names[own]?.startsWith(text) ? 0 : 1));
    } else if (holds[region] === 1 || holds[country] === 1) {
      found.add(option, 2 * REST);
    } else if (begun !== null) {
      const ownWords = begun[own] ?? 0;
      const held = ownWords | (begun[region] ?? 0) | (begun[country] ?? 0);
      if (held === all) found.add(option, 2 * REST + (ownWords === 0 ? 2 : 1));
    }
  }
  return found.best();
}

/**
 * Options each of whose words in `text` (folded, not blank) is in a name of theirs once a slip or two are
 * forgiven over all of the text: fewest slips first, then ranked as if written right.
 */
export function matchForgivingSlips(
  index: DestinationIndex,
  text: string,
  limit: number,
): DestinationMatches {
  const { level, ownName, regionName, countryName } = index.names;
  const slipsByWord = wordsIn(text).map((word) => slipsInNames(index, word));
  const found = new RankedOptions(index, (MOST_SLIPS + 1) * (REST + 1), limit);
  for (const option of index.alphabetical) {
    let slips = 0;
    let slipsInOwnName = 0;
    for (const inNames of slipsByWord) {
      const own = inNames[ownName[option] ?? 0] ?? 0;
      const region = inNames[regionName[option] ?? 0] ?? 0;
      const country = inNames[countryName[option] ?? 0] ?? 0;
      slips += Math.min(own, region, country);
      slipsInOwnName += own;
      if (slips > MOST_SLIPS) break;
    }
    if (slips > MOST_SLIPS) continue;
    const rank = slipsInOwnName === slips ? (level[option] ?? 0) : REST;
    found.add(option, slips * (REST + 1) + rank);
  }
  return found.best();
}

function wordsIn(text: string): string[] {
  return [...new Set(text.split(' '))].slice(0, MOST_WORDS);
}

/** For each name a bit for every word of `typed` that one of the name's words begins with. */
function namesWithWordsBegun({ names }: DestinationIndex, typed: readonly string[]): Int32Array {
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
  return inNames;
}

/** For each name the fewest slips that make `typed` a part of it; more than `MOST_SLIPS` when it is not. */
function slipsInNames({ names }: DestinationIndex, typed: string): Uint8Array {
  const { wordsOfNames, firstWord } = names;
  const most = forgivenSlips(typed);
  const tooMany = MOST_SLIPS + 1;
  const measure = slipMeter(typed, most);
  const inWords = eachAsByte(names.words, (word, at) => {
    if (lacksTooMany(typed, names.lettersOfWord[at] ?? 0, most)) return tooMany;
    if (word.includes(typed)) return 0;
    const slips = most === 0 ? tooMany : measure(word);
    return slips > most ? tooMany : slips;
  });
  return eachAsByte(names.names, (_name, name) => {
    let fewest = tooMany;
    const end = firstWord[name + 1] ?? 0;
    for (let at = firstWord[name] ?? end; at < end; at += 1) {
      fewest = Math.min(fewest, inWords[wordsOfNames[at] ?? 0] ?? tooMany);
    }
    return fewest;
  });
}

/** `Uint8Array.from` with a function takes several times as long. */
function eachAsByte<T>(items: readonly T[], toByte: (item: T, at: number) => number): Uint8Array {
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
