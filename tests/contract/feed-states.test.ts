import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOfStore } from '../../server/conditions/store-conditions.ts';
import { readStoreFacts } from '../../server/conditions/store-facts.ts';
import { beginAttempt, endAttempt } from '../../server/feed/attempts/attempt-table.ts';
import { registerStoreGauges } from '../../server/metrics/store-gauges.ts';
import { noticeRuns } from '../../server/notices/notice-runs.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import {
  FEED_NOW,
  type FeedSite,
  feedItem,
  makeFeedSite,
  ndjson,
  providersFile,
} from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { virtualClock } from '../fixtures/virtual-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RULES = readFileSync(join(import.meta.dirname, '../../deploy/prometheus-rules.yml'), 'utf8');

/** The alarms about feeds and empty stores. Each compares two of: the time, a gauge, a number. */
const ALARMS = [...RULES.matchAll(/alert: (\w+)\n +expr: (\S+) (>|==) (\S+)\n/g)]
  .map(([, name = '', left = '', operator = '', right = '']) => ({ name, left, operator, right }))
  .filter(({ name }) => /^Skylark(Feed|Empty)/.test(name));

const PROVIDERS = {
  providers: [
    {
      code: 'SUNW',
      name: 'Sunward',
      linkHosts: ['www.sunward.example'],
      feed: { source: 'feed.ndjson', schedule: '0 3 * * *', maxAge: 48 },
    },
  ],
};

describe.each(STORE_KINDS)('A provider in the %s store', (kind) => {
  let site: FeedSite;
  let now: number;
  let sent: string[];
  let notices: ReturnType<typeof noticeRuns>;
  let providers: ReturnType<typeof providersFile>['providers'] | null;
  beforeEach(async () => {
    site = await makeFeedSite(kind, PROVIDERS);
    now = FEED_NOW;
    sent = [];
    providers = providersFile(PROVIDERS, site.folder).providers;
    notices = noticeRuns({
      openStore: () => openDatabase(site.address),
      look: () => ({ conditions: [], providers, feedLateMs: 30 * HOUR_MS }),
      async send(event, { title }) {
        sent.push(`${event}: ${title}`);
      },
      log: () => {},
      now: () => now,
    });
  });
  afterEach(async () => {
    await notices.close();
    await site.close();
  });

  const makeFeed = (price = 900) =>
    site.file('feed.ndjson', ndjson([feedItem(), feedItem({ HotelIdentifierCode: 'B', TotalPrice: price })]));

  /** Passes time by the hour, with the schedule and the notices. */
  async function pass(hours: number, isScheduled = true): Promise<string[]> {
    for (let hour = 0; hour < hours; hour += 1) {
      now += HOUR_MS;
      site.setNow(now);
      // A second time, because a withdrawal follows the fetch that could not renew the packages.
      if (isScheduled) for (const _ of [1, 2]) await site.run(['run', 'SUNW', '--if-due']);
      await notices.run();
    }
    return sent.splice(0);
  }

  /** What a scrape and the alarms say, and the warnings of /readyz. */
  async function watched() {
    const sources = { now, providers, feedLateMs: 30 * HOUR_MS };
    const facts = await readStoreFacts(site.database(), site.address, sources);
    const problems = await conditionsOfStore(site.database(), sources);
    const registry = new Registry();
    registerStoreGauges(registry, { latest: () => facts, refresh: async () => facts }, virtualClock());
    const gauges = new Map<string, number>();
    for (const { name, values } of await registry.getMetricsAsJSON()) {
      for (const { value } of values) gauges.set(name, value);
    }
    const operand = (text: string) => (text === 'time()' ? now / 1_000 : (gauges.get(text) ?? Number(text)));
    const alarms = ALARMS.filter(({ left, operator, right }) =>
      operator === '>' ? operand(left) > operand(right) : operand(left) === operand(right),
    );
    const feed = ['last_import_seconds', 'late_after_seconds', 'packages', 'held'];
    return {
      gauges: feed.map((name) => gauges.get(`skylark_feed_${name}`)),
      isFailing: (gauges.get('skylark_feed_failures') ?? 0) > 3,
      alarms: alarms.map(({ name }) => name),
      warnings: problems.filter(({ readyz }) => readyz === 'warnings').map(({ title }) => title),
    };
  }

  it('is late, fails, is slow, withdrawn, empty and restored, and every notice and alarm lasts until then', async () => {
    expect(ALARMS.map(({ name }) => name)).toEqual([
      'SkylarkFeedLate',
      'SkylarkFeedHeld',
      'SkylarkFeedFails',
      'SkylarkFeedEmpty',
      'SkylarkEmpty',
    ]);
    const path = makeFeed();
    await site.run(['run', 'SUNW', '--if-due']);
    const lateAt = FEED_NOW / 1_000 + 24 * 3_600;
    const good = { gauges: [FEED_NOW / 1_000, lateAt, 2, 0], isFailing: false, alarms: [], warnings: [] };
    expect(await watched()).toEqual(good);

    rmSync(path);
    // The run at three o'clock fails, and so do its retries.
    expect(await pass(23)).toEqual(['begun: The feed of SUNW fails']);
    expect(await watched()).toEqual({ ...good, isFailing: true, alarms: ['SkylarkFeedFails'] });
    expect(await pass(2)).toEqual(['begun: The feed of SUNW is late']);
    const late = { ...good, isFailing: true, alarms: ['SkylarkFeedLate', 'SkylarkFeedFails'] };
    expect(await watched()).toEqual(late);

    const slow = await beginAttempt(site.database(), { provider: 'SUNW', source: 'feed.ndjson', now });
    expect(await pass(2, false)).toEqual([]);
    expect(await watched()).toEqual(late);
    await endAttempt(site.database(), slow, { outcome: 'failed', detail: {}, now });
    // An invalid providers.json ends nothing.
    providers = null;
    expect(await pass(1)).toEqual([]);
    ({ providers } = providersFile(PROVIDERS, site.folder));

    // A day later, the lasting problems are repeated.
    expect(await pass(23)).toEqual([
      'lasting: The feed of SUNW fails',
      'begun: Nothing of SUNW is on sale',
      'begun: Nothing is on sale',
      'lasting: The feed of SUNW is late',
    ]);
    expect(await watched()).toEqual({
      gauges: [FEED_NOW / 1_000, lateAt, 0, 0],
      isFailing: true,
      alarms: ['SkylarkFeedLate', 'SkylarkFeedFails', 'SkylarkFeedEmpty', 'SkylarkEmpty'],
      warnings: ['Nothing is on sale', 'Nothing of SUNW is on sale'],
    });

    makeFeed(905);
    const restored = await pass(2);
    expect(restored.toSorted()).toEqual([
      'over: Nothing is on sale',
      'over: Nothing of SUNW is on sale',
      'over: The feed of SUNW fails',
      'over: The feed of SUNW is late',
    ]);
    const again = await watched();
    expect(again).toMatchObject({ isFailing: false, alarms: [], warnings: [] });
    expect(again.gauges.slice(2)).toEqual([2, 0]);
    expect(again.gauges[0]).toBeGreaterThan(FEED_NOW / 1_000);

    // Its metrics go with its entry in providers.json.
    providers = [];
    expect((await watched()).gauges).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each([false, true])(
    'fails until an import, however often a feed is rejected (changes: %s)',
    async (isChanges) => {
      makeFeed();
      await site.run(['run', 'SUNW']);
      const end = async (outcome: 'failed' | 'discarded') => {
        const attempt = await beginAttempt(site.database(), { provider: 'SUNW', source: 'feed.ndjson', now });
        await endAttempt(site.database(), attempt, { outcome, detail: isChanges ? { isChanges } : {}, now });
      };
      await end('failed');
      expect(await pass(2, false)).toEqual(['begun: The feed of SUNW fails']);
      for (let nth = 0; nth < 20; nth += 1) await end('discarded');
      expect(await pass(2, false)).toEqual([]);
      await site.run(['run', 'SUNW']);
      expect(await pass(2, false)).toEqual(['over: The feed of SUNW fails']);
    },
  );

  it('is late by its own schedule', async () => {
    const lateAfter = async (feed: Record<string, unknown>) => {
      const source = { source: 'feed.ndjson', maxAge: 2_000, ...feed };
      const [first] = PROVIDERS.providers;
      ({ providers } = providersFile({ providers: [{ ...first, feed: source }] }, site.folder));
      return (Number((await watched()).gauges[1]) - FEED_NOW / 1_000) / 3_600;
    };
    makeFeed();
    await site.run(['run', 'SUNW']);
    // A weekly feed on Mondays, an hourly one, one on weekdays, and one without a schedule.
    expect(await lateAfter({ schedule: '0 9 * * 1' })).toBe(2 * 24 + 6);
    expect(await lateAfter({ schedule: '0 * * * *' })).toBe(1 + 1.5);
    expect(await lateAfter({ schedule: '0 9 * * 1-5' })).toBe(2 * 24 + 6);
    expect(await lateAfter({})).toBe(30);
  });
});
