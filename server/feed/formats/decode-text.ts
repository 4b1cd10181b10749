import { isAscii, isUtf8 } from 'node:buffer';
import { type FeedBytes, FeedFault } from './raw-row.ts';

/** Whether `TextDecoder` knows an encoding. */
export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

/** A feed's bytes as UTF-8. `encoding` null: they are UTF-8, or the feed is refused. */
export async function* asUtf8(bytes: FeedBytes, encoding: string | null): AsyncGenerator<Uint8Array> {
  if (encoding === null) return yield* requireUtf8(bytes);
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/**
 * Refuses a feed in another encoding, judged by its first part that is not ASCII. Later damage costs only
 * its rows.
 */
async function* requireUtf8(bytes: FeedBytes): AsyncGenerator<Uint8Array> {
  let isJudged = false;
  for await (const chunk of bytes) {
    if (!isJudged && !isAscii(chunk)) {
      isJudged = true;
      if (!isUtf8(chunk) && !hasUtf8(chunk)) throw new FeedFault(NOT_UTF8);
    }
    yield chunk;
  }
}

/** Whether a chunk has a valid character beyond ASCII: a chunk may also begin or end within one. */
function hasUtf8(chunk: Uint8Array): boolean {
  return /[^\0-\x7f\uFFFD]/.test(new TextDecoder().decode(chunk));
}

const NOT_UTF8 =
  'The feed is not UTF-8 text, so nothing was imported. Set "encoding" in the mapping to the encoding that the provider uses, such as windows-1252 or utf-16le.';
