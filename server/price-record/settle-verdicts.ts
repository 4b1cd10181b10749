import { dayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { providerPriceReader } from '../price-history/package-history.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { packageParts, type RecordLine } from './record-file.ts';

/** A price counts as current for this many days. */
const CURRENT_DAYS = 3;

/** Adds outcomes to the lines that are due, in order, from the price runs. Reads only. */
export async function settleVerdicts(
  database: SqlSession,
  catalogue: CodedCatalogue,
  due: readonly RecordLine[],
  today: number,
): Promise<RecordLine[]> {
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const pricesOf = providerPriceReader(database);

  /** The provider's prices from the day after the draw to the last one that counts. */
  async function pricesAfter(line: RecordLine, last: number): Promise<DailyPrice[]> {
    const key = await parseItemKey(line.package, catalogue);
    if (key === null) return [];
    database.cluster?.requireDays([key[OFFER.departureDay]]);
    const offer = ((await find.row(...key)) ?? null) as unknown as OfferRow | null;
    const { daily } = await pricesOf(key, offer, today, today - dayNumber(line.drawn));
    return daily.filter(({ day }) => day <= last);
  }

  const seen = new Set<string>();
  const found: { line: RecordLine; feed: string; last: number; prices: DailyPrice[] }[] = [];
  for (const line of due) {
    const last = dayNumber(line.drawn) + (line.after ?? 0);
    const prices = await pricesAfter(line, last);
    const feed = `${packageParts(line.package).provider} ${last}`;
    const isCurrent = (prices.at(-1)?.day ?? 0) > last - CURRENT_DAYS;
    if (isCurrent) seen.add(feed);
    found.push({ line, feed, last, prices: isCurrent ? prices : [] });
  }
  return found.map(({ line, feed, last, prices }) => {
    const later = prices.at(-1)?.price ?? null;
    if (later !== null)
      return { ...line, outcome: 'seen', later, lowest: Math.min(...prices.map(({ price }) => price)) };
    if (packageParts(line.package).departure < last + CURRENT_DAYS) return { ...line, outcome: 'departed' };
    return { ...line, outcome: seen.has(feed) ? 'sold-out' : 'not-seen' };
  });
}
