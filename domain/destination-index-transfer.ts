import type { DestinationIndex } from './destination-index.ts';
import type { DestinationNames } from './destination-names.ts';

type Texts<T> = { [K in keyof T]: T[K] extends readonly string[] ? string : T[K] };

/**
 * An index in few and large pieces: each list of texts is one text. Fifty thousand small texts would take the
 * receiving thread ten times as long to take over. Other names are given to it afterwards.
 */
export type PackedDestinationIndex = Texts<Omit<DestinationIndex, 'names' | 'otherNames'>> & {
  names: Texts<DestinationNames>;
};

/** No name holds a line break: the list's reader makes one space of all white space. */
const BETWEEN = '\n';

export function packDestinationIndex(index: DestinationIndex): PackedDestinationIndex {
  const { written, tuples, alphabetical, names } = index;
  return {
    written: written.join(BETWEEN),
    tuples,
    alphabetical,
    names: { ...names, names: names.names.join(BETWEEN), words: names.words.join(BETWEEN) },
  };
}

export function unpackDestinationIndex({ names, ...index }: PackedDestinationIndex): DestinationIndex {
  return {
    ...index,
    otherNames: [],
    written: index.written.split(BETWEEN),
    names: { ...names, names: names.names.split(BETWEEN), words: names.words.split(BETWEEN) },
  };
}
