import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { photoPaths } from '../inventory/photo-path.ts';
import { photosPlugin } from './photos-plugin.ts';

const paths = photoPaths(Buffer.from('a key'));
const HOST = 'img.sunward.example';
const OTHER = 'img.other.example';
let now: number;

let answers: Record<string, RequestListener>;
let asked: string[];
let origin: Server;
let app: FastifyInstance;
let folder: ReturnType<typeof temporaryFolder>;

async function openApp(maxBytes = 10_000_000): Promise<void> {
  const { port } = origin.address() as AddressInfo;
  app = Fastify();
  app.register(photosPlugin, {
    paths,
    hosts: () => [HOST, OTHER],
    folder: join(folder.path, 'photos'),
    maxBytes,
    now: () => now,
    network: {
      fetch: (url, init) => fetch(new URL(url.pathname, `http://127.0.0.1:${port}`), init),
    },
  });
}

beforeEach(async () => {
  answers = {};
  asked = [];
  now = Date.now();
  folder = temporaryFolder();
  origin = createServer((message, response) => {
    asked.push(message.url ?? '');
    const answer = answers[message.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(message, response);
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  await openApp();
});
afterEach(async () => {
  await app.close();
  origin.closeAllConnections();
  await new Promise((resolve) => origin.close(resolve));
  folder.remove();
});

const send =
  (content: Buffer | string): RequestListener =>
  (_message, response) => {
    response.end(content);
  };
const picture = (format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg', width = 1_200) =>
  sharp({ create: { width, height: 800, channels: 3, background: '#2080c0' } })
    .toFormat(format)
    .toBuffer();
const get = (path: string, width = '', accept = 'image/webp,*/*', host = HOST) =>
  app.inject({
    url: `${paths.pathOf(`https://${host}${path}`)}${width && `&w=${width}`}`,
    headers: { accept },
  });

describe('/photos', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'scales a %s to each width, and fetches it once',
    async (format) => {
      answers['/sea'] = send(await picture(format));
      for (const width of [320, 640, 960]) {
        const response = await get('/sea', String(width));
        expect(response.headers).toMatchObject({
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept',
        });
        const { width: wide, height, format: made } = await sharp(response.rawPayload).metadata();
        expect([wide, height, made]).toEqual([width, (width * 3) / 4, 'webp']);
      }
      expect(asked).toEqual(['/sea']);
    },
  );

  it('sends JPEG to clients without WebP', async () => {
    answers['/sea'] = send(await picture('png'));
    expect((await get('/sea', '320', '*/*')).headers['content-type']).toBe('image/jpeg');
  });

  it('fetches a photo once for requests at the same time', async () => {
    answers['/sea'] = send(await picture());
    const responses = await Promise.all(Array.from({ length: 8 }, () => get('/sea')));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(asked).toEqual(['/sea']);
  });

  it('fetches nothing that the catalogue has not named', async () => {
    const named = paths.pathOf(`https://${HOST}/sea`);
    const others = [
      named.replace('sea', 'lake'),
      named.replace(/by=.*/, 'by=AAAAAAAAAAAAAAAA'),
      `${named}&w=5000`,
      `/photos?of=${encodeURIComponent(`https://${HOST}/sea`)}`,
      '/photos',
    ];
    for (const url of others) expect((await app.inject({ url })).statusCode).toBe(404);
    const elsewhere = paths.pathOf('https://elsewhere.example/sea');
    expect((await app.inject({ url: elsewhere })).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });

  it.each([
    'http://127.0.0.1/latest',
    'https://127.0.0.1/latest',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/latest',
    `http://${HOST}/sea`,
    `https://${HOST}:8443/sea`,
    'https://elsewhere.example/sea',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async (location) => {
    answers['/moved'] = (_message, response) => response.writeHead(302, { location }).end();
    answers['/sea'] = answers['/latest'] = send(await picture());
    expect((await get('/moved')).statusCode).toBe(404);
    expect(asked).toEqual(['/moved']);
  });

  it('follows a redirect within the listed hosts', async () => {
    answers['/moved'] = (_message, response) => response.writeHead(302, { location: '/sea' }).end();
    answers['/sea'] = send(await picture());
    expect((await get('/moved')).statusCode).toBe(200);
  });

  it.each<[string, () => Promise<Buffer | string> | Buffer | string]>([
    ['an SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'],
    ['a page', async () => '<!doctype html><title>Not found</title>'],
    [
      'a GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .gif()
          .toBuffer(),
    ],
    ['half a picture', async () => (await picture()).subarray(0, 400)],
    ['nothing', async () => ''],
    ['11 MB', async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(11_000_000)])],
    [
      'a small AVIF of 20 million pixels of 12 bits',
      () =>
        sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#000' } })
          .avif({ bitdepth: 12, effort: 0, quality: 1 })
          .toBuffer(),
    ],
    [
      'a small file of 100 million pixels',
      () =>
        sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#000' } })
          .png()
          .toBuffer(),
    ],
  ])('refuses %s, and does not fetch it again, even after a restart', async (_name, content) => {
    answers['/hostile'] = send(await content());
    for (const width of ['320', '640']) {
      const response = await get('/hostile', width);
      expect([response.statusCode, response.headers['cache-control']]).toEqual([404, 'max-age=600']);
    }
    await app.close();
    await openApp();
    expect((await get('/hostile')).statusCode).toBe(404);
    expect(asked).toEqual(['/hostile']);
    // Only the note of the failure.
    expect(readdirSync(join(folder.path, 'photos'))).toHaveLength(1);
  });

  it('fetches a failed photo again after ten minutes, and one that cannot be decoded after a day', async () => {
    answers['/page'] = send('<!doctype html>');
    const asks = async (minutes: number) => {
      now += minutes * 60_000;
      asked = [];
      await Promise.all([get('/page'), get('/gone')]);
      return asked.toSorted();
    };
    expect(await asks(0)).toEqual(['/gone', '/page']);
    expect(await asks(9)).toEqual([]);
    expect(await asks(2)).toEqual(['/gone']);
    expect(await asks(24 * 60)).toEqual(['/gone', '/page']);
  });

  it('asks a host for one photo at a time, and serves other hosts meanwhile', async () => {
    const waiting: ServerResponse[] = [];
    const sea = await picture();
    answers['/slow'] = answers['/slower'] = (_message, response) => waiting.push(response);
    answers['/sea'] = send(sea);
    const slow = get('/slow');
    await expect.poll(() => asked).toEqual(['/slow']);
    const slower = get('/slower');
    expect((await get('/sea', '', '*/*', OTHER)).statusCode).toBe(200);
    expect(asked).toEqual(['/slow', '/sea']);
    waiting[0]?.end(sea);
    expect((await slow).statusCode).toBe(200);
    await expect.poll(() => asked).toEqual(['/slow', '/sea', '/slower']);
    waiting[1]?.end(sea);
    expect((await slower).statusCode).toBe(200);
  });

  it('lets a host rest for five minutes once it fails three times in a row', async () => {
    answers['/sea'] = send(await picture());
    const fails: RequestListener = (_message, response) => response.writeHead(503).end();
    for (const nth of [1, 2, 3]) {
      answers[`/${nth}`] = fails;
      expect((await get(`/${nth}`)).statusCode).toBe(404);
      // A missing photo does not count as a failure of its host.
      if (nth === 1) for (const gone of ['a', 'b', 'c']) await get(`/gone-${gone}`);
    }
    answers['/4'] = fails;
    await get('/4');
    asked = [];
    expect((await get('/sea')).statusCode).toBe(404);
    expect(asked).toEqual([]);
    expect((await get('/sea', '', '*/*', OTHER)).statusCode).toBe(200);
    now += 5 * 60_000;
    expect((await get('/sea')).statusCode).toBe(200);
  });

  it('keeps the cache within its limit, and removes what was used least recently', async () => {
    await app.close();
    const noise = await sharp({
      create: {
        width: 960,
        height: 720,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
      .jpeg()
      .toBuffer();
    await openApp(2_000_000);
    for (let number = 0; number < 12; number += 1) {
      answers[`/${number}`] = send(noise);
      expect((await get(`/${number}`)).statusCode).toBe(200);
    }
    const files = readdirSync(join(folder.path, 'photos'), { recursive: true, encoding: 'utf8' });
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder.path, 'photos', name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(2_000_000);
    expect(existsSync(join(folder.path, 'photos'))).toBe(true);
    asked = [];
    await get('/11');
    await get('/0');
    expect(asked).toEqual(['/0']);
  });
});
