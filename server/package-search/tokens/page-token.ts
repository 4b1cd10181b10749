import { createHash, createHmac } from 'node:crypto';
import * as v from 'valibot';
import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import type { Collapse, PagePlace } from '../query/package-repository.ts';
import type { SearchRequest } from '../query/search-request.ts';

const VERSION = 4;

/** How long a token is valid: prices change, and with them the pages. */
const LIFETIME_MS = 60 * 60 * 1000;

/** Where the next page of a search starts, and the count of the previous page. */
export interface PageState {
  after: PagePlace;
  count: number;
  /** The version of the store to which `count` applies. */
  version: string;
}

type ReadToken = ({ kind: 'page' } & PageState) | { kind: 'bad-token'; message: string };

const payload = v.strictObject({
  v: v.literal(VERSION),
  s: v.string(),
  f: v.string(),
  k: v.array(v.union([v.pipe(v.number(), v.safeInteger()), v.string()])),
  c: v.number(),
  r: v.string(),
  t: v.number(),
});

/** Tokens signed with `key`; `now` returns milliseconds since 1970. */
export function pageTokens(key: Uint8Array, collapse: Collapse, now: () => number) {
  const sign = (body: string) => createHmac('sha256', key).update(body).digest('base64url');

  return {
    /** An opaque token for the page that starts at `after`, valid for this search only. */
    issue(request: SearchRequest, { after, count, version }: PageState): string {
      const content: v.InferOutput<typeof payload> = {
        v: VERSION,
        s: request.sortBy,
        f: filterHash(request, collapse),
        k: [...after],
        c: count,
        r: version,
        t: now(),
      };
      const body = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${body}.${sign(body)}`;
    },
    read(request: SearchRequest, token: string): ReadToken {
      const [body = '', signature = '', ...rest] = token.split('.');
      // Compares text, because many texts decode to the same bytes.
      if (rest.length > 0 || !constantTimeEqual(signature, sign(body)))
        return badToken('was not issued by this service');
      const parsed = v.safeParse(payload, JSON.parse(Buffer.from(body, 'base64url').toString()));
      if (!parsed.success) return badToken('was issued by an earlier version of this service');
      const { s, f, k, c, r, t } = parsed.output;
      if (s !== request.sortBy || f !== filterHash(request, collapse))
        return badToken('belongs to a search with different filters or a different sort');
      if (now() - t > LIFETIME_MS) return badToken('is more than an hour old');
      return { kind: 'page', after: k, count: c, version: r };
    },
  };
}

function badToken(reason: string): ReadToken {
  return { kind: 'bad-token', message: `nextToken ${reason}. Search again without a nextToken.` };
}

function filterHash({ filters, refine }: SearchRequest, collapse: Collapse): string {
  // Parsed filters have their fields in the schema's order, so equal searches have equal texts.
  return createHash('sha256')
    .update(JSON.stringify([filters, refine, collapse]))
    .digest('base64url')
    .slice(0, 16);
}
