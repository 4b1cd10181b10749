import type { FeedBytes } from './raw-row.ts';

/** Enough to tell a format by. */
export const HEAD_BYTES = 65_536;

/** The first bytes, and all of them, the first included. */
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
