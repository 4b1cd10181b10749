import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlSitemap } from '../fixtures/site-crawl.ts';
import { openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const SITE = 'https://seaward.example';

describe.each(STORE_KINDS)('The sitemap, %s', (store) => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ store, publicUrl: SITE });
  });
  afterAll(() => small.close());

  it('lists places, their months and hotels, each a page that needs no script and leads nowhere wrong', async () => {
    const { urls, faults } = await crawlSitemap(SITE, async (url) => {
      const { statusCode, body } = await small.app.inject(url);
      return { status: statusCode, body };
    });
    expect(faults).toEqual([]);
    const paths = urls.map((url) => url.slice(SITE.length));
    expect(paths).toEqual(
      expect.arrayContaining([
        '/holidays/spain',
        '/holidays/spain/costa-blanca',
        '/holidays/spain/islands/old-town/2027-05',
        '/holidays/greece/islands/old-town',
        '/hotel/spain/hotel-5-H-5',
      ]),
    );
    expect(paths.filter((path) => path.startsWith('/hotel/'))).toHaveLength(8);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('is sent again only after an import or a day, and not for an unknown country', async () => {
    for (const url of ['/sitemap.xml', '/sitemap/holidays-spain.xml']) {
      const { etag = '' } = (await small.app.inject(url)).headers;
      const again = () => small.app.inject({ url, headers: { 'if-none-match': String(etag) } });
      expect((await again()).statusCode).toBe(304);
    }
    expect((await small.app.inject('/sitemap/holidays-atlantis.xml')).statusCode).toBe(404);
  });
});

it.each([
  ['development', {}, 'Sitemap: http://dev.example:3000/sitemap.xml'],
  ['production', {}, null],
  ['production', { publicUrl: SITE }, `Sitemap: ${SITE}/sitemap.xml`],
] as const)('in %s with %j, robots.txt names the sitemap %s', async (mode, options, line) => {
  const small = await openSmallApp({ mode, ...options });
  const headers = { host: 'dev.example:3000' };
  const robots = (await small.app.inject({ url: '/robots.txt', headers })).body;
  const map = await small.app.inject({ url: '/sitemap.xml', headers });
  await small.close();
  if (line === null) expect(robots).not.toContain('Sitemap:');
  else expect(robots).toContain(line);
  expect(map.statusCode).toBe(line === null ? 404 : 200);
  if (line !== null)
    expect(map.body).toContain(`<loc>${line.slice(9, -'/sitemap.xml'.length)}/sitemap/pages.xml</loc>`);
});
