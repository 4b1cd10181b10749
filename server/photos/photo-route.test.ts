import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { photoPaths } from '../inventory/photo-path.ts';
import { addPhotoRoute } from './photo-route.ts';

const paths = photoPaths(Buffer.from('a key'));
const HOST = 'img.sunward.example';

let answers: Record<string, RequestListener>;
let asked: string[];
let origin: Server;
let app: FastifyInstance;
let folder: ReturnType<typeof temporaryFolder>;

async function openApp(maxBytes = 10_000_000): Promise<void> {
  const { port } = origin.address() as AddressInfo;
  app = Fastify();
  addPhotoRoute(app, {
    paths,
    hosts: () => [HOST],
    folder: join(folder.path, 'photos'),
    maxBytes,
    network: {
      ask: ({ hostname, pathname: path }, { signal, headers = {} }) =>
        request({
          port,
          host: '127.0.0.1',
          path,
          ...(signal && { signal }),
          headers: { ...headers, host: hostname },
        }),
    },
  });
}

beforeEach(async () => {
  answers = {};
  asked = [];
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
const get = (path: string, width = '', accept = 'image/webp,*/*') =>
  app.inject({
    url: `${paths.pathOf(`https://${HOST}${path}`)}${width && `&w=${width}`}`,
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
    ['an SVG', () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'],
    ['a page', () => '<!doctype html><title>Not found</title>'],
    [
      'a GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .gif()
          .toBuffer(),
    ],
    ['half a picture', async () => (await picture()).subarray(0, 400)],
    ['nothing', () => ''],
    ['11 MB', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(11_000_000)])],
    [
      'a small file of 100 million pixels',
      () =>
        sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#000' } })
          .png()
          .toBuffer(),
    ],
  ])('refuses %s, does not fetch it again, and leaves no file', async (_name, content) => {
    answers['/hostile'] = send(await content());
    for (const width of ['320', '640']) {
      const response = await get('/hostile', width);
      expect([response.statusCode, response.headers['cache-control']]).toEqual([404, 'max-age=600']);
    }
    expect(asked).toEqual(['/hostile']);
    expect(readdirSync(join(folder.path, 'photos'))).toEqual([]);
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
