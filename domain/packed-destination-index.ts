import type { DestinationIndex } from './destination-match.ts';
import type { DestinationNames } from './destination-names.ts';

type Texts<T> = { [K in keyof T]: T[K] extends readonly string[] ? string : T[K] };

/**
 * An index in few and large pieces: each list of texts is one text. Fifty thousand small texts would take the
 * receiving thread ten times as long to take over.
 */
export type PackedDestinationIndex = Texts<Omit<DestinationIndex, 'names'>> & {
  names: Texts<DestinationNames>;
};

/** No name holds a line break: the list's reader makes one space of all white space. */
const BETWEEN = '\n';

export function packDestinationIndex({ names, ...index }: DestinationIndex): PackedDestinationIndex {
  return {
    ...index,
    written: index.written.join(BETWEEN),
    names: { ...names, names: names.names.join(BETWEEN), words: names.words.join(BETWEEN) },
  };
}

export function unpackDestinationIndex({ names, ...index }: PackedDestinationIndex): DestinationIndex {
  return {
    ...index,
    written: index.written.split(BETWEEN),
    names: { ...names, names: names.names.split(BETWEEN), words: names.words.split(BETWEEN) },
  };
}
