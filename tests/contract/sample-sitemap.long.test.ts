import { expect, it } from 'vitest';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { loadSample } from '../../server/sample/load-sample.ts';
import { crawlSitemap } from '../fixtures/site-crawl.ts';
import { openSmallApp } from '../fixtures/small-app.ts';
import { NOW } from '../fixtures/small-inventory.ts';
import { makeStore } from '../fixtures/test-stores.ts';

const SITE = 'https://seaward.example';

/** Departures of five weeks: the whole sample would take most of an hour. */
const DAYS = 35;

it('every page in the sample’s sitemap, and every link on them, is there, described and needs no script', async () => {
  const store = await makeStore('embedded');
  const small = await openSmallApp({ store, collapse: 'hotel', publicUrl: SITE });
  const writer = await openInventoryWriter(store.address);
  let loaded = 0;
  await loadSample({
    writer,
    seed: 1,
    today: '2027-04-01',
    now: NOW / 60_000,
    canRemoveDeparted: true,
    onProgress: ({ day }) => {
      loaded = day;
    },
    stopped: () => loaded >= DAYS,
  });
  await writer.close();
  const { urls, faults } = await crawlSitemap(SITE, async (url) => {
    const { statusCode, body } = await small.app.inject(url);
    return { status: statusCode, body };
  });
  await small.close();
  expect(faults).toEqual([]);
  expect(urls.filter((url) => url.includes('/holidays/')).length).toBeGreaterThan(300);
  expect(urls.filter((url) => url.includes('/hotel/')).length).toBeGreaterThan(1_000);
}, 1_800_000);
