import * as v from 'valibot';
import type { LookUp, LookUpResult } from './message-provider.ts';
import type { CallResult } from './provider-call.ts';

export const BIRD_STATUSES: Readonly<Record<string, 'sent' | 'delivered' | 'read' | 'failed'>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  delivery_failed: 'failed',
  sending_failed: 'failed',
  rejected: 'failed',
};

/** How far Bird's clock may be from ours. */
const SLACK_MS = 30_000;

/** The most pages that one lookup reads; with more, the answer stays unknown. */
const PAGES = 10;

const page = v.object({
  results: v.array(
    v.object({
      id: v.string(),
      reference: v.nullish(v.string(), null),
      status: v.optional(v.string(), ''),
      failure: v.fallback(v.nullable(v.object({ code: v.union([v.number(), v.string()]) })), null),
    }),
  ),
  nextPageToken: v.nullish(v.string(), null),
});

/** Finds a message by its reference in Bird's list of the channel's messages. */
export async function birdLookUp(
  list: (query: URLSearchParams) => Promise<CallResult>,
  { token, startedAt, endedAt }: LookUp,
): Promise<LookUpResult> {
  const query = new URLSearchParams({
    direction: 'outgoing',
    limit: '100',
    startAt: new Date(startedAt - SLACK_MS).toISOString(),
    endAt: new Date(endedAt + SLACK_MS).toISOString(),
  });
  for (let pages = 0; pages < PAGES; pages += 1) {
    const result = await list(query);
    if (result.kind !== 'response' || result.status !== 200)
      return { kind: 'unknown', why: result.kind === 'response' ? `http ${result.status}` : 'no answer' };
    const read = v.safeParse(page, result.body);
    if (!read.success) return { kind: 'unknown', why: 'unreadable response' };
    const { results, nextPageToken } = read.output;
    const found = results.find(({ reference }) => reference === token);
    if (found !== undefined) {
      return {
        kind: 'found',
        messageId: found.id,
        status: BIRD_STATUSES[found.status] ?? 'sent',
        code: found.failure === null ? null : String(found.failure.code),
      };
    }
    if (nextPageToken === null || nextPageToken === '') return { kind: 'not found' };
    query.set('pageToken', nextPageToken);
  }
  return { kind: 'unknown', why: 'too many messages to search' };
}
