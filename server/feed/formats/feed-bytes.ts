import type { FeedBytes } from './raw-row.ts';

/** Enough to detect a format. */
export const HEAD_BYTES = 65_536;

/** Returns the first bytes, and a stream of all bytes including those. */
export async function withHead(bytes: FeedBytes): Promise<{ head: Uint8Array; all: FeedBytes }> {
  const chunks = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < HEAD_BYTES && !ended) {
    const { value, done } = await chunks.next();
    ended = done === true;
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      if (!ended) yield* { [Symbol.asyncIterator]: () => chunks };
    } finally {
      await chunks.return?.();
    }
  }
  return { head: Buffer.concat(first), all: all() };
}
