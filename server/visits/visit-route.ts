import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import { httpCaller } from '../http/http-caller.ts';
import { LOCAL_CLIENT } from '../lib/caller.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { tokenBuckets } from '../lib/token-buckets.ts';
import { priceTokens } from '../package-search/price-token.ts';
import type { RecordVisits } from './record-visits.ts';

/** The highest price that an offer can have. */
const MAX_POUNDS = 335_544;

const body = v.strictObject({
  itemKey: v.pipe(v.string(), v.maxLength(400)),
  price: v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_POUNDS)),
  priceToken: v.optional(v.pipe(v.string(), v.maxLength(40)), ''),
});

/** A client's limit: enough for all visitors behind one address, but too little to use up the day's limit. */
const OF_CLIENT = { perMinute: 20, burst: 120 };

const BAD_BODY =
  'Send a JSON object with an itemKey (text), and the price (ProviderPrice, in pounds) and priceToken from AdditionalData in the search response.';

const NOT_SHOWN =
  'The priceToken is not for this package and price, or is more than a day old. Send the one from the latest search.';

export interface VisitRouteOptions {
  visits: RecordVisits;
  tokenKey: Uint8Array;
  now: () => number;
  /** In monotonic milliseconds. */
  monotonicNow: () => number;
}

/** `POST /visits`: a click through to a provider, with the provider's displayed price in pounds and its token. */
export function addVisitRoute(
  app: FastifyInstance,
  { visits, tokenKey, now, monotonicNow }: VisitRouteOptions,
): void {
  const tokens = priceTokens(tokenKey);
  const clicks = tokenBuckets(OF_CLIENT, monotonicNow);
  app.post('/visits', async (request, reply) => {
    const parsed = v.safeParse(body, request.body);
    if (!parsed.success) return reply.code(400).send({ error: BAD_BODY });
    const { itemKey, priceToken } = parsed.output;
    const price = poundsToPence(parsed.output.price);
    const visitedAt = Math.floor(now() / 60_000);
    const isShown = tokens.isValid({ itemKey, price }, priceToken, visitedAt);
    const caller = httpCaller(request, reply);
    const isCounted = isShown && caller.client !== LOCAL_CLIENT;
    // Beyond the limit, the response is the same as for a recorded click.
    if (isCounted && clicks.take(caller.client) > 0) return reply.code(204).send();
    const recorded = visits.record({ itemKey, price, visitedAt, isShown }, caller);
    const outcome = await recorded.catch((error: unknown) => {
      if (isCounted && isRefusal(error)) clicks.giveBack(caller.client);
      throw error;
    });
    if (outcome === 'recorded') return reply.code(204).send();
    if (outcome === 'price not shown') return reply.code(400).send({ error: NOT_SHOWN });
    return reply.code(404).send({ error: 'No package has this itemKey.' });
  });
}

/** Whether a click was certainly not recorded. If the client disconnected, it may have been. */
function isRefusal(error: unknown): boolean {
  return error instanceof Overloaded || isStoreUnavailable(error);
}
