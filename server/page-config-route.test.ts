import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageConfig } from './page-config.ts';
import { addPageConfigRoute } from './page-config-route.ts';

type Parties = { adults: number }[];

const build = vi.fn((catalogue: string, parties: Parties) => ({ brandName: catalogue, parties }) as unknown);

let app: FastifyInstance;
let facts: [catalogue: string, parties: Parties];
const ask = (headers: Record<string, string> = {}) => app.inject({ url: '/config.json', headers });

beforeEach(() => {
  build.mockClear();
  facts = ['one', [{ adults: 2 }]];
  app = Fastify();
  addPageConfigRoute(app, async () => ({ of: facts, build: () => build(...facts) as PageConfig }));
});
afterEach(() => app.close());

it('is sent in an accepted encoding, with an entity tag for revalidation', async () => {
  const plain = await ask();
  expect(plain.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
  expect(plain.json()).toEqual({ brandName: 'one', parties: [{ adults: 2 }] });
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await ask({ 'accept-encoding': encoding });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
    const known = { 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) };
    expect(await ask(known)).toMatchObject({ statusCode: 304, body: '' });
  }
});

it('is built once for any number of requests', async () => {
  await Promise.all(Array.from({ length: 20 }, () => ask({ 'accept-encoding': 'gzip' })));
  await ask();
  expect(build).toHaveBeenCalledTimes(1);
});

it.each([
  ['catalogue', (): typeof facts => ['two', facts[1]]],
  ['parties', (): typeof facts => [facts[0], [{ adults: 1 }, { adults: 2 }]]],
])('changes immediately with another %s', async (_name, others) => {
  const { etag } = (await ask({ 'accept-encoding': 'br' })).headers;
  facts = others();
  const next = await ask({ 'accept-encoding': 'br', 'if-none-match': String(etag) });
  expect(next.statusCode).toBe(200);
  expect(JSON.parse(brotliDecompressSync(next.rawPayload).toString())).toEqual({
    brandName: facts[0],
    parties: facts[1],
  });
});

it('keeps its entity tag if the same facts are read again', async () => {
  const { etag } = (await ask()).headers;
  facts = ['one', [{ adults: 2 }]];
  expect((await ask()).headers.etag).toBe(etag);
  expect(build).toHaveBeenCalledTimes(2);
});
