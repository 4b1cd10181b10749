import { describe, expect, it } from 'vitest';
import { makeFeedSite } from '../fixtures/feed-site.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { type DailyFeedsReport, runDailyFeeds } from '../soak/daily-feeds.ts';

describe.each(ALL_STORE_KINDS)('Feeds of three weeks in the %s store', (kind) => {
  it('leave the packages of the last feed, each with the days and prices of all feeds', {
    timeout: 300_000,
  }, async () => {
    const site = await makeFeedSite(kind);
    const reports: DailyFeedsReport[] = [];
    await runDailyFeeds(
      site,
      { seed: 7, perDay: 3, window: 60 },
      { days: 21, every: 7, checked: 200 },
      (report) => reports.push(report),
    );
    expect(reports.map(({ days }) => days)).toEqual([7, 14, 21]);
    expect(reports.at(-1)?.packages).toBeGreaterThan(50);
    await site.close();
  });
});
