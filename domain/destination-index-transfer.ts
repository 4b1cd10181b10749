import type { DestinationIndex } from './destination-index.ts';
import type { DestinationNames } from './destination-names.ts';

type Joined<T> = { [K in keyof T]: T[K] extends readonly string[] ? string : T[K] };

/**
 * An index in few and large pieces: each list of texts is one text. Fifty thousand small texts would take the
 * receiving thread ten times as long to take over. Other names are given to it afterwards.
 */
export type PackedDestinationIndex = Joined<Omit<DestinationIndex, 'names' | 'otherNames'>> & {
  names: Joined<DestinationNames>;
};

/** No name holds a line break: the list's reader makes one space of all white space. */
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
