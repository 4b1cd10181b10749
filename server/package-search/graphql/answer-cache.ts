import { LRUCache } from 'lru-cache';
import { acceptedEncoding, compressResponse } from '../../http/compress-response.ts';
import { type AnswerSource, minuteOf } from '../fields/search-packages.ts';
import type { SearchRequest } from '../query/search-request.ts';

const MAX_BYTES = 64 * 2 ** 20;

/** The memory of an entry without its key and body. */
const ENTRY_BYTES = 200;

/** The bytes of a response, and their content encoding. */
export type Answer = ReturnType<typeof compressResponse>;

/** Every answer is written into it, because joining the parts to one long text costs twice as much. */
let written = Buffer.allocUnsafeSlow(2 ** 20);

/** Compresses an answer whose text consists of these parts. */
export function answerOf(parts: readonly string[], acceptEncoding: string | undefined): Answer {
  let length = 0;
  for (const part of parts) {
    // UTF-8 has at most three bytes for each unit of UTF-16.
    const needed = length + 3 * part.length;
    if (needed > written.length) written = Buffer.concat([written.subarray(0, length)], 2 * needed);
    length += written.write(part, length);
  }
  return compressResponse(written.subarray(0, length), acceptEncoding);
}

interface AnsweredSearch {
  request: SearchRequest;
  hasFacets: boolean;
  acceptEncoding: string | undefined;
}

/**
 * The compressed answers to the page's searches. They are the same for every client, whose allowance is charged before
 * the look-up. Other queries read tables without a version, so their answers are never cached.
 */
export interface AnswerCache {
  /** The answer from the store's present state and this minute. */
  find(search: AnsweredSearch): Promise<Answer | undefined>;
  add(search: AnsweredSearch, source: AnswerSource, answer: Answer): void;
}

export function answerCache({
  inventoryVersion,
  now,
  onLookUp = () => {},
}: {
  inventoryVersion: () => Promise<string>;
  now: () => number;
  onLookUp?: ((isHit: boolean) => void) | undefined;
}): AnswerCache {
  const answers = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => ENTRY_BYTES + 2 * key.length + body.length,
  });
  return {
    async find(search) {
      if (!isCacheable(search)) return undefined;
      const source = { inventoryVersion: await inventoryVersion(), minute: minuteOf(now()) };
      const found = answers.get(keyOf(search, source));
      onLookUp(found !== undefined);
      return found;
    },
    add(search, source, { body, encoding }) {
      if (!isCacheable(search)) return;
      // A copy, because a small body may be part of a larger buffer.
      const copy = Buffer.allocUnsafeSlow(body.length);
      body.copy(copy);
      answers.set(keyOf(search, source), { body: copy, encoding });
    },
  };
}

/** Further pages are not cached, because their tokens expire within a minute. */
function isCacheable({ request }: AnsweredSearch): boolean {
  return request.nextToken === null;
}

/** Parsed requests have their fields in the schema's order, so equal searches have equal keys. */
function keyOf(
  { request, hasFacets, acceptEncoding }: AnsweredSearch,
  { inventoryVersion, minute }: AnswerSource,
): string {
  const encoding = acceptedEncoding(acceptEncoding);
  return JSON.stringify([inventoryVersion, minute, encoding, hasFacets, request]);
}
