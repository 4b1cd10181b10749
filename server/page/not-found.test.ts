import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addNotFound } from './not-found.ts';

const app = Fastify();
for (const url of ['/', '/results', '/privacy']) app.get(url, () => 'found');
app.decorate('writePage', () => 'Page not found');
addNotFound(app);

it.each([
  ['/results.', '/results'],
  ['/results%20', '/results'],
  ['/results%20?country=Spain&from=LGW', '/results?country=Spain&from=LGW'],
  ['/results/).', '/results'],
  ['/privacy%E2%80%9D,', '/privacy'],
])('redirects a link with punctuation after its path: %s', async (url, intended) => {
  const { statusCode, headers } = await app.inject(url);
  expect([statusCode, headers.location]).toEqual([302, intended]);
});

it.each(['/result', '/resort.', '//results.example.'])('does not find %s', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(404);
});
