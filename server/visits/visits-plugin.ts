import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import { httpCaller } from '../http/http-caller.ts';
import { LOCAL_CLIENT } from '../lib/caller.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { tokenBuckets } from '../lib/token-buckets.ts';
import { priceTokens } from '../package-search/tokens/price-token.ts';
import type { RecordVisits, SiteVisit } from './record-visits.ts';

/** The highest price that an offer can have. */
const MAX_POUNDS = 335_544;

const body = v.strictObject({
  itemKey: v.pipe(v.string(), v.maxLength(400)),
  price: v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_POUNDS)),
  priceToken: v.optional(v.pipe(v.string(), v.maxLength(40)), ''),
});

/** A client's limit on clicks: enough for all visitors behind one address, too few to use up the daily limit. */
const OF_CLIENT = { perMinute: 20, burst: 120 };

/** More per minute than clicks, because the page checks prices as the pointer moves over the cards. */
const CHECKS_OF_CLIENT = { perMinute: 60, burst: 60 };

const BAD_BODY =
  'Send a JSON object with an itemKey (text), and the price (ProviderPrice, in pounds) and priceToken from AdditionalData in the search response.';

const NOT_SHOWN =
  'The priceToken is not for this package and price, or is more than a day old. Send the one from the latest search.';

export interface VisitsOptions {
  visits: RecordVisits;
  tokenKey: Uint8Array;
  now: () => number;
  /** In monotonic milliseconds. */
  monotonicNow: () => number;
}

/**
 * `POST /visits`: a click through to a provider, with the provider's displayed price in pounds and its token.
 * `POST /visits/check`, with the same body: whether the provider still has it at that price.
 */
export async function visitsPlugin(
  app: FastifyInstance,
  { visits, tokenKey, now, monotonicNow }: VisitsOptions,
): Promise<void> {
  const tokens = priceTokens(tokenKey);
  const clicks = tokenBuckets(OF_CLIENT, monotonicNow);
  const checks = tokenBuckets(CHECKS_OF_CLIENT, monotonicNow);

  function visitOf(request: FastifyRequest, reply: FastifyReply) {
    const parsed = v.safeParse(body, request.body);
    if (!parsed.success) return null;
    const { itemKey, priceToken } = parsed.output;
    const price = poundsToPence(parsed.output.price);
    const visitedAt = Math.floor(now() / 60_000);
    const isShown = tokens.isValid({ itemKey, price }, priceToken, visitedAt);
    const caller = httpCaller(request, reply);
    const client = createHmac('sha256', tokenKey).update(`skylark visits ${caller.client}`).digest();
    const visit: SiteVisit = { itemKey, price, visitedAt, isShown, client: client.readUInt16BE() };
    return { visit, caller, isLimited: isShown && caller.client !== LOCAL_CLIENT };
  }

  app.post('/visits', { config: { isOpen: true, limit: 'store' } }, async (request, reply) => {
    const parsed = visitOf(request, reply);
    if (parsed === null) return reply.code(400).send({ error: BAD_BODY });
    const { visit, caller, isLimited } = parsed;
    // Beyond the limit, the response is the same as for a recorded click.
    if (isLimited && clicks.take(caller.client) > 0) return reply.code(204).send();
    const recorded = visits.record(visit, caller);
    const outcome = await recorded.catch((error: unknown) => {
      if (isLimited && isRefusal(error)) clicks.giveBack(caller.client);
      throw error;
    });
    if (outcome === 'recorded' || outcome === 'over limit') return reply.code(204).send();
    if (outcome === 'price not shown') return reply.code(400).send({ error: NOT_SHOWN });
    return reply.code(404).send({ error: 'No package has this itemKey.' });
  });

  app.post('/visits/check', { config: { isOpen: true, limit: 'store' } }, async (request, reply) => {
    const parsed = visitOf(request, reply);
    if (parsed === null) return reply.code(400).send({ error: BAD_BODY });
    const { visit, caller, isLimited } = parsed;
    if (!visit.isShown) return reply.code(400).send({ error: NOT_SHOWN });
    const isRefused = isLimited && checks.take(caller.client) > 0;
    const checked = isRefused ? null : await visits.check(visit, caller);
    if (checked === null) return reply.code(204).send();
    return { price: checked.price === null ? null : checked.price / 100 };
  });
}

/** Whether a click was certainly not recorded. If the client disconnected, it may have been. */
function isRefusal(error: unknown): boolean {
  return error instanceof Overloaded || isStoreUnavailable(error);
}
