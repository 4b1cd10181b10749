/** Bytes of a cached entry beside its characters: its key, its place in the cache, and what holds its texts. */
const ENTRY_BYTES = 100;

/** What a cached entry of so many characters takes. Each counts two bytes, as in a text with letters beyond Latin-1. */
export function bytesOfText(characters: number): number {
  return ENTRY_BYTES + 2 * characters;
}

/** The same for a cache of texts by number. */
export function bytesOfEntry(_key: number, text: string): number {
  return bytesOfText(text.length);
}
