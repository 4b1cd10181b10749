import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { addListRoutes } from './list-routes.ts';

const LIST = `country,region,resort\n${'Spain,Costa Blanca,Benidorm\n'.repeat(100)}`;

let folder: ReturnType<typeof temporaryFolder>;
let app: FastifyInstance;
const write = (text: string) => writeFileSync(join(folder.path, 'locations.csv'), text);
const ask = (headers: Record<string, string> = {}) => app.inject({ url: '/data/locations.csv', headers });

beforeEach(() => {
  folder = temporaryFolder();
  write(LIST);
  app = Fastify();
  addListRoutes(app, { 'locations.csv': folder.path });
});
afterEach(async () => {
  await app.close();
  folder.remove();
});

it('sends a list compressed, with an entity tag for revalidation', async () => {
  const packed = await ask({ 'accept-encoding': 'gzip, br' });
  expect(packed.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(LIST);
  const known = await ask({ 'accept-encoding': 'br', 'if-none-match': String(packed.headers.etag) });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  const plain = await ask();
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, LIST]);
});

it('sends the current list, even to concurrent requests', async () => {
  const { etag } = (await ask()).headers;
  write(`${LIST}Greece,Crete,Malia\n`);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(new Set(answers.map(({ body }) => body))).toEqual(new Set([`${LIST}Greece,Crete,Malia\n`]));
  expect(answers[0]?.headers.etag).not.toBe(etag);
});

it('responds with 404 while the file is missing, and sends the list when it is back', async () => {
  rmSync(join(folder.path, 'locations.csv'));
  expect((await ask()).statusCode).toBe(404);
  write(LIST);
  expect((await ask()).body).toBe(LIST);
});
