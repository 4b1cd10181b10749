import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { packageHistoryReader } from '../../server/price-history/package-history.ts';
import { deleteExpiredPrices, refreshPrices } from '../../server/price-history/refresh-prices.ts';
import {
  type DailyMarket,
  expectedHistory,
  feedsOn,
  itemsIn,
  marketPackage,
  packagesOn,
  priceIn,
} from '../fixtures/daily-market.ts';
import { FEED_NOW, type FeedSite } from '../fixtures/feed-site.ts';

const MINUTES_A_DAY = 1_440;
const MS_A_DAY = MINUTES_A_DAY * 60_000;
const HOUR = 60 * 60_000;

export interface DailyFeedsReport {
  days: number;
  imports: number;
  packages: number;
  /** The number of rows in the price history. */
  observations: number;
  megabytes: number;
  /** Seconds that an import and a refresh of the price models take, on average since the last report. */
  importSeconds: number;
  refreshSeconds: number;
  /** Milliseconds that reading a package's history takes, on average. */
  historyMs: number;
}

/**
 * Imports a provider's feeds day by day, as its operator does, with daily refreshes of the models. At each
 * report, throws unless exactly the last feed's packages are on sale, and each history has exactly the days
 * and prices of the feeds.
 */
export async function runDailyFeeds(
  site: FeedSite,
  market: DailyMarket,
  { days, every, checked }: { days: number; every: number; checked: number },
  onReport: (report: DailyFeedsReport) => void,
): Promise<void> {
  const database = site.database();
  const firstDay = Math.floor(FEED_NOW / MS_A_DAY);
  const spent = { import: 0, refresh: 0, imports: 0, days: 0 };
  let last: { day: number; hour: number } | null = null;
  let imports = 0;
  for (let day = firstDay; day < firstDay + days; day += 1) {
    for (const hour of feedsOn(market, day)) {
      site.setNow(day * MS_A_DAY + hour * HOUR);
      const begun = performance.now();
      const words = ['import', '-', '--provider', 'MADE', '--accept'];
      const { exit, out } = await site.run(words, linesOf(itemsIn(market, { day, hour })));
      if (exit !== 0) throw new Error(`Day ${day}: exit ${exit}\n${out}`);
      spent.import += performance.now() - begun;
      spent.imports += 1;
      imports += 1;
      last = { day, hour };
    }
    const begun = performance.now();
    await refreshPrices(database, day);
    await deleteExpiredPrices(database, day * MS_A_DAY + 12 * HOUR);
    spent.refresh += performance.now() - begun;
    spent.days += 1;
    const run = day - firstDay + 1;
    if (last === null || (run % every !== 0 && run !== days)) continue;
    const historyMs = await check(site, market, last, { from: firstDay, to: day, checked });
    onReport({
      days: run,
      imports,
      packages: await count(site, 'offer'),
      observations: await count(site, 'price_observation'),
      megabytes: megabytesIn(site.folder),
      importSeconds: spent.import / 1_000 / Math.max(1, spent.imports),
      refreshSeconds: spent.refresh / 1_000 / spent.days,
      historyMs,
    });
    Object.assign(spent, { import: 0, refresh: 0, imports: 0, days: 0 });
  }
}

/** Throws if the store differs from the feeds. Returns the milliseconds that reading a history took. */
async function check(
  site: FeedSite,
  market: DailyMarket,
  last: { day: number; hour: number },
  { from, to, checked }: { from: number; to: number; checked: number },
): Promise<number> {
  const onSale = [...packagesOn(market, last.day)].filter((one) => {
    const isFuture = one.departureDay > to;
    return isFuture && priceIn(market, one, last) !== null;
  }).length;
  const stored = await site.ask(
    `select ${OFFER_COLUMNS.map((column) => `offer.${column}`).join(', ')}, hotel.code, airport.code
      from offer join hotel on hotel.id = offer.hotel join airport on airport.id = offer.airport
      where departure_day > ${to}`,
  );
  if (stored.length !== onSale) throw new Error(`Day ${to}: ${stored.length} packages instead of ${onSale}`);
  const historyOf = packageHistoryReader(site.database(), (_, price) => price);
  const some = stored.filter((_, nth) => nth % Math.max(1, Math.floor(stored.length / checked)) === 0);
  let spent = 0;
  for (const row of some) {
    const offer = row.slice(0, OFFER_COLUMNS.length) as unknown as OfferRow;
    const [hotel, airport] = row.slice(OFFER_COLUMNS.length).map(String);
    const one = marketPackage(offer[OFFER.departureDay], hotel ?? '', airport ?? '');
    const begun = performance.now();
    const { daily } = await historyOf(offer, to);
    spent += performance.now() - begun;
    const expected = expectedHistory(market, one, { from, to });
    if (textOf(daily) !== textOf(expected)) {
      throw new Error(
        `Day ${to}: the history of ${JSON.stringify(one)} is\n${textOf(daily)}\ninstead of\n${textOf(expected)}`,
      );
    }
  }
  return spent / Math.max(1, some.length);
}

function textOf(daily: readonly DailyPrice[]): string {
  return daily.map(({ day, price }) => `${day}:${price}`).join(' ');
}

async function count(site: FeedSite, table: string): Promise<number> {
  return Number((await site.ask(`select count(*) from ${table}`))[0]?.[0]);
}

async function* linesOf(items: Iterable<unknown>): AsyncGenerator<string> {
  for (const item of items) yield `${JSON.stringify(item)}\n`;
}

function megabytesIn(folder: string): number {
  const bytes = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return Math.round(bytes / 1e6);
}
