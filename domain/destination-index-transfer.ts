import type { DestinationIndex } from './destination-index.ts';
import type { DestinationNames } from './destination-names.ts';

type Joined<T> = { [K in keyof T]: T[K] extends readonly string[] ? string : T[K] };

/**
 * An index as a few large values: one joined text is sent to another thread faster than many short texts.
 * Alternative names are not included; add them after the transfer.
 */
export type PackedDestinationIndex = Joined<Omit<DestinationIndex, 'names' | 'otherNames'>> & {
  names: Joined<DestinationNames>;
};

/** Safe, because names contain no newline: the list's parser collapses white space. */
const SEPARATOR = '\n';

export function packDestinationIndex(index: DestinationIndex): PackedDestinationIndex {
  const { spellings: written, tuples, alphabetical, names } = index;
  return {
    spellings: written.join(SEPARATOR),
    tuples,
    alphabetical,
    names: { ...names, names: names.names.join(SEPARATOR), words: names.words.join(SEPARATOR) },
  };
}

export function unpackDestinationIndex({ names, ...index }: PackedDestinationIndex): DestinationIndex {
  return {
    ...index,
    otherNames: [],
    spellings: index.spellings.split(SEPARATOR),
    names: { ...names, names: names.names.split(SEPARATOR), words: names.words.split(SEPARATOR) },
  };
}
