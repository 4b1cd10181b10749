import type { DestinationOption } from './destination.ts';
import { foldText } from './fold-text.ts';
import { letterMask, searchWords } from './search-words.ts';

/**
 * The options' names, prepared for searches. Each distinct name is folded and numbered; each option has the
 * numbers of its own and its parents' names. Number 0 is the blank name.
 */
export interface DestinationNames {
  readonly names: readonly string[];
  /** The distinct words of all names, each word's letter mask, and each name's words. */
  readonly words: readonly string[];
  readonly letterMasks: Int32Array;
  readonly wordsOfNames: Uint32Array;
  /** Where each name's words begin in `wordsOfNames`. The last entry is the length of `wordsOfNames`. */
  readonly firstWord: Uint32Array;
  readonly level: Uint8Array;
  readonly ownName: Uint32Array;
  readonly regionName: Uint32Array;
  readonly countryName: Uint32Array;
}

/** The position of an option's own name in its tuple, by kind. */
export const OWN_LEVEL = { country: 0, region: 1, resort: 2 } as const;

export function indexNames(options: readonly DestinationOption[]): DestinationNames {
  const names = createInterner(foldText);
  const words = createInterner((word) => word);
  const level = Uint8Array.from(options, ({ kind }) => OWN_LEVEL[kind]);
  const ownName = Uint32Array.from(options, ({ kind, tuple }) => names.idOf(tuple[OWN_LEVEL[kind]]));
  const regionName = Uint32Array.from(options, ({ tuple }) => names.idOf(tuple[1]));
  const countryName = Uint32Array.from(options, ({ tuple }) => names.idOf(tuple[0]));
  const wordsOfName = names.values.map((name) => searchWords(name).map(words.idOf));
  let end = 0;
  const firstWord = Uint32Array.from([[], ...wordsOfName], (before: number[]) => (end += before.length));
  const lettersOfWord = Int32Array.from(words.values, letterMask);
  return {
    names: names.values,
    words: words.values,
    letterMasks: lettersOfWord,
    wordsOfNames: Uint32Array.from(wordsOfName.flat()),
    firstWord,
    level,
    ownName,
    regionName,
    countryName,
  };
}

export interface Interner {
  values: string[];
  idOf: (text: string) => number;
}

/** Numbers distinct texts in order of appearance, and stores `make(text)` for each. The blank text is 0. */
export function createInterner(make: (text: string) => string): Interner {
  const values = [''];
  const numbers = new Map([['', 0]]);
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, values.length);
    return values.push(make(text)) - 1;
  };
  return { values, idOf: numberOf };
}
