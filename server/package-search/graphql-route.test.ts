import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { addGraphqlRoute } from './graphql-route.ts';

const TEXT = JSON.stringify({ data: { hotels: Array.from({ length: 200 }, () => 'Señorío') } });

const app = Fastify();
let isBusy = false;
addGraphqlRoute(app, {
  apiKey: 'key',
  answerGraphql: async () => ({ kind: 'answer', text: TEXT }),
  isBusy: () => isBusy,
});
afterEach(() => {
  isBusy = false;
});

const ask = () =>
  app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': 'key', 'accept-encoding': 'gzip, br, zstd' },
    payload: { query: '{ hotels }' },
  });

it('compresses an answer as the client accepts it', async () => {
  const { headers, rawPayload } = await ask();
  expect(headers['content-encoding']).toBe('zstd');
  expect(rawPayload.length).toBeLessThan(TEXT.length / 2);
});

it('sends an answer as it is while many wait', async () => {
  isBusy = true;
  const { headers, body } = await ask();
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers.vary).toBe('accept-encoding');
  expect(body).toBe(TEXT);
});
