import type { DestinationIndex } from './destination-index.ts';
import type { DestinationNames } from './destination-names.ts';

type Joined<T> = { [K in keyof T]: T[K] extends readonly string[] ? string : T[K] };

/**
 * An index as few large values: each list of texts is joined into one. Deserializing fifty thousand small texts takes the
 * receiving thread ten times as long. Other names are added afterwards.
 */
export type PackedDestinationIndex = Joined<Omit<DestinationIndex, 'names' | 'otherNames'>> & {
  names: Joined<DestinationNames>;
};

/** Names contain no newline: the parser of the list collapses white space to single spaces. */
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
