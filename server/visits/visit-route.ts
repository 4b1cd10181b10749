import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { RecordVisits } from './record-visits.ts';

/** The highest price an offer can have. */
const MAX_POUNDS = 335_544;

const body = v.strictObject({
  itemKey: v.pipe(v.string(), v.maxLength(400)),
  price: v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_POUNDS)),
});

/** `POST /visits`: a click through to a provider, with the displayed price in pounds. */
export function addVisitRoute(app: FastifyInstance, visits: RecordVisits, now: () => number): void {
  app.post('/visits', async (request, reply) => {
    const parsed = v.safeParse(body, request.body);
    if (!parsed.success) {
      return reply
        .code(400)
        .send({ error: 'Send a JSON object with an itemKey (text) and a price (pounds).' });
    }
    const { itemKey, price } = parsed.output;
    const visitedAt = Math.floor(now() / 60_000);
    const isKnown = await visits.record(
      { itemKey, price: poundsToPence(price), visitedAt },
      httpCaller(request, reply),
    );
    return isKnown ? reply.code(204).send() : reply.code(404).send({ error: 'No package has this itemKey.' });
  });
}
