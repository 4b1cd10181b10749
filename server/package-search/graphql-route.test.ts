import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addGraphqlRoute } from './graphql-route.ts';

const TEXT = JSON.stringify({ data: { hotels: Array.from({ length: 200 }, () => 'Señorío') } });

const app = Fastify();
addGraphqlRoute(app, {
  apiKey: 'key',
  answerGraphql: async () => ({ kind: 'answer', text: TEXT }),
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
