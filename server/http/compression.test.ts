import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addCompression } from './compression.ts';

it('compresses text that is long enough, for clients that accept it', async () => {
  const text = 'the list of places '.repeat(1_000);
  const app = Fastify();
  await addCompression(app);
  app.get('/list', async (_request, reply) => reply.type('text/csv').send(text));
  app.get('/picture', async (_request, reply) => reply.type('image/png').send(Buffer.alloc(5_000)));
  const get = (url: string, accepted: string) =>
    app.inject({ url, headers: { 'accept-encoding': accepted } });
  const compressed = await get('/list', 'br');
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(text);
  expect((await get('/list', 'identity')).headers['content-encoding']).toBeUndefined();
  expect((await get('/picture', 'br')).headers['content-encoding']).toBeUndefined();
  await app.close();
});
