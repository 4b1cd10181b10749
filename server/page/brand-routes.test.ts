import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { addBrandedShells } from './brand-routes.ts';

const HTML = `<!doctype html><title>Otherworld</title>${'<p>Holidays.</p>'.repeat(100)}`;

let folder: ReturnType<typeof temporaryFolder>;
let app: FastifyInstance;
beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'shell'));
  for (const file of ['index', 'results', 'explore', 'accessibility']) {
    writeFileSync(join(folder.path, 'shell', `${file}.html`), HTML);
  }
  app = Fastify();
  const painted = { name: 'Otherworld', logoUrl: null, styleUrl: null, sky: null };
  expect(await addBrandedShells(app, join(folder.path, 'page'), painted)).toBe(true);
});
afterEach(async () => {
  await app.close();
  folder.remove();
});

const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: '/', headers });
const etagFor = async (accepted: string) => String((await ask({ 'accept-encoding': accepted })).headers.etag);

const UNPACKED: Record<string, (packed: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['BR', 'br'],
  ['br;q=0.1, gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['gzip;q=0.0, br; q=0.000', undefined],
  ['x-br, x-gzip, brotli', undefined],
  ['identity', undefined],
  ['', undefined],
])(
  'sends the branded page to a client that accepts "%s" with the encoding %s',
  async (accepted, encoding) => {
    const answer = await ask({ 'accept-encoding': accepted });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('accept-encoding');
    const unpack = UNPACKED[encoding ?? ''] ?? ((plain: Buffer) => plain);
    expect(unpack(answer.rawPayload).toString()).toBe(HTML);
    const head = await ask({ 'accept-encoding': accepted }, 'HEAD');
    expect(head.headers).toEqual({ ...answer.headers, date: head.headers.date });
    expect(head.rawPayload).toHaveLength(0);
  },
);

it('gives each encoding an entity tag of its own', async () => {
  const etags = await Promise.all(['br', 'gzip', 'identity'].map(etagFor));
  expect(new Set(etags).size).toBe(3);
});

it.each([
  ['the entity tag', (etag: string) => etag],
  ['a weak one, as of a proxy', (etag: string) => `W/${etag}`],
  ['a list', (etag: string) => `"other", W/${etag},"third"`],
  ['any', () => '*'],
])('answers 304 to %s', async (_, known) => {
  for (const accepted of ['br', 'gzip', 'identity']) {
    const etag = await etagFor(accepted);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask({ 'accept-encoding': accepted, 'if-none-match': known(etag) }, method);
      expect(answer.statusCode).toBe(304);
      expect(answer.headers).toMatchObject({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
      expect(answer.rawPayload).toHaveLength(0);
    }
  }
});

it('sends the page to those who have another, also in another encoding', async () => {
  for (const known of ['"other"', await etagFor('gzip'), 'W/', '']) {
    const answer = await ask({ 'accept-encoding': 'br', 'if-none-match': known });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe('br');
  }
});
