import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { addShellRoutes, type DescribeSearch } from './shell-routes.ts';

const PAGE = `<!doctype html><title>Find</title><span data-contact>Contact us.</span>${'<p>Holidays.</p>'.repeat(100)}`;
const SITE = {
  brandName: 'Otherworld',
  publicUrl: 'https://otherworld.example',
  contactEmail: 'help@otherworld.example',
};
const LISTS = {
  destinations: parseDestinations('country,region,resort\nSpain,Majorca,Palma Nova\nSpain,Ibiza,'),
  airports: parseAirports('London,LON,1\nLondon Gatwick,LGW,'),
};

/** Finds holidays only where the words begin with 'Ibiza'. */
const describeSearch: DescribeSearch = async (words) =>
  words.startsWith('Ibiza')
    ? {
        title: `${words}: from £620`,
        description: 'Hotel <1> £620, Hotel 2 £640.',
        image: '/assets/places/island.svg#dusk',
      }
    : null;

let folder: ReturnType<typeof temporaryFolder>;
let app: FastifyInstance;
beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'shell'));
  for (const file of ['index', 'results', 'explore', 'accessibility']) {
    writeFileSync(join(folder.path, 'shell', `${file}.html`), PAGE);
  }
  app = Fastify();
  const painted = { name: 'Otherworld', logoUrl: null, styleUrl: null, sky: null };
  await addShellRoutes(app, {
    builtPage: join(folder.path, 'page'),
    painted,
    site: SITE,
    lists: LISTS,
    describeSearch,
  });
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
    expect(unpack(answer.rawPayload).toString()).toContain('<p>Holidays.</p>');
    const head = await ask({ 'accept-encoding': accepted }, 'HEAD');
    expect(head.headers).toEqual({ ...answer.headers, date: head.headers.date });
    expect(head.rawPayload).toHaveLength(0);
  },
);

it('gives each encoding its own entity tag', async () => {
  const etags = await Promise.all(['br', 'gzip', 'identity'].map(etagFor));
  expect(new Set(etags).size).toBe(3);
});

it.each([
  ['the entity tag', (etag: string) => etag],
  ['a weak one, as of a proxy', (etag: string) => `W/${etag}`],
  ['a list', (etag: string) => `"other", W/${etag},"third"`],
  ['any', () => '*'],
])('responds with 304 to %s', async (_, known) => {
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

it('sends the page to clients with another version or encoding', async () => {
  for (const known of ['"other"', await etagFor('gzip'), 'W/', '']) {
    const answer = await ask({ 'accept-encoding': 'br', 'if-none-match': known });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe('br');
  }
});

const html = async (url: string) =>
  (await app.inject({ url, headers: { 'accept-encoding': 'identity' } })).body;

it('gives each page a title, a description, a canonical link and a picture for shared links', async () => {
  const home = await html('/');
  expect(home).toContain('<title>Find a package holiday | Otherworld</title>');
  expect(home).toContain('<meta name="description" content="Search package holidays');
  expect(home).toContain('<link rel="canonical" href="https://otherworld.example/">');
  expect(home).toContain('<meta property="og:image" content="https://otherworld.example/assets/share.png">');
  expect(await html('/explore')).toContain('<title>Explore holidays by price | Otherworld</title>');
});

it('describes a shared search in its title, and keeps results pages out of search engines', async () => {
  const url = '/results?country=spain&region=Majorca&from=region:lon&date=2027-05-15&nights=7&page=2';
  const answer = await app.inject({ url, headers: { 'accept-encoding': 'identity' } });
  expect(answer.headers['x-robots-tag']).toBe('noindex');
  const shared = 'Majorca from London, 15 May 2027, 7 nights';
  expect(answer.body).toContain(`<title>${shared} | Otherworld</title>`);
  expect(answer.body).toContain(`<meta property="og:title" content="${shared}">`);
  expect(answer.body).toContain('<meta name="robots" content="noindex">');
  expect(answer.body.match(/name="description"/g)).toHaveLength(1);
  expect((await app.inject('/results')).headers['x-robots-tag']).toBe('noindex');
});

it('shows prices and a picture of the cheapest holidays of a shared search', async () => {
  const body = await html('/results?country=Spain&region=Ibiza&from=LGW&date=2027-05-15&nights=7');
  expect(body).toContain(
    '<meta property="og:title" content="Ibiza from London Gatwick, 15 May 2027, 7 nights: from £620">',
  );
  expect(body).toContain('<meta property="og:description" content="Hotel &lt;1&gt; £620, Hotel 2 £640.">');
  expect(body).toContain(
    '<meta property="og:image" content="https://otherworld.example/share/island-dusk.png">',
  );
});

it('sends a shared search like any page: compressed, with an entity tag for revalidation', async () => {
  const url = '/results?country=Spain&region=Majorca&date=2027-05-15&nights=7';
  const get = (path: string, headers: Record<string, string>) => app.inject({ url: path, headers });
  const etags = new Set<unknown>();
  for (const accepted of ['zstd, br, gzip', 'gzip', 'identity']) {
    const [plain, shared] = [
      await get('/results', { 'accept-encoding': accepted }),
      await get(url, { 'accept-encoding': accepted }),
    ];
    for (const name of ['content-encoding', 'content-type', 'cache-control', 'vary'])
      expect(shared.headers[name], name).toBe(plain.headers[name]);
    const { etag = '' } = shared.headers;
    etags.add(etag).add(plain.headers.etag);
    const again = await get(`${url}&page=2`, { 'accept-encoding': accepted, 'if-none-match': String(etag) });
    expect(again).toMatchObject({ statusCode: 304, body: '' });
    const other = await get(url.replace('Majorca', 'Ibiza'), {
      'accept-encoding': accepted,
      'if-none-match': String(etag),
    });
    expect(other.statusCode).toBe(200);
  }
  expect(etags.size).toBe(6);
});

it('shows no words from the URL that are not on the lists', async () => {
  for (const query of ['country=Win%20a%20car', 'country=Spain&region=<script>', 'from=LGW', '']) {
    expect(await html(`/results?${query}`)).toContain('<title>Holiday results | Otherworld</title>');
  }
  const half = await html('/results?country=Spain&from=<b>&date=2027-02-31&nights=8');
  expect(half).toContain('<title>Spain | Otherworld</title>');
});

it('names the operator’s address in the accessibility statement', async () => {
  const { body } = await app.inject('/accessibility.html');
  expect(body).toContain('Write to <a href="mailto:help@otherworld.example">help@otherworld.example</a>.');
  expect(body).not.toContain('Contact us.');
});
