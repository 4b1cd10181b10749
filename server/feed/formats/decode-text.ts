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

/** A feed's bytes as UTF-8. If `encoding` is null, refuses a feed that is not UTF-8 already. */
export async function* asUtf8(bytes: FeedBytes, encoding: string | null): AsyncGenerator<Uint8Array> {
  if (encoding === null) return yield* requireUtf8(bytes);
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/**
 * Refuses a feed in another encoding, judged by its first chunk that is not ASCII. Invalid bytes in later
 * chunks affect only their rows.
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

/** Whether a chunk has a complete character beyond ASCII. Its first and last characters may be cut off. */
function hasUtf8(chunk: Uint8Array): boolean {
  return /[^\0-\x7f\uFFFD]/.test(new TextDecoder().decode(chunk));
}

const NOT_UTF8 =
  'The feed is not UTF-8 text, so nothing was imported. Set "encoding" in the mapping to the encoding that the provider uses, such as windows-1252 or utf-16le.';
