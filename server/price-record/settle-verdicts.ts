import { dayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { providerPriceReader } from '../price-history/package-history.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Outcome, packageParts } from './record-file.ts';
import type { DueVerdict } from './record-walk.ts';

/** A price counts as current for this many days. */
const CURRENT_DAYS = 3;

/** Settles verdicts from the price runs, all of them and in order. Reads only. */
export async function settleVerdicts(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  due: readonly DueVerdict[],
  today: number,
): Promise<Outcome[]> {
  const pricesOf = priceReader(database, catalogue, today);
  const found: { one: DueVerdict; prices: DailyPrice[]; isCurrent: boolean }[] = [];
  const seen = new Set<string>();
  for (const one of due) {
    const drawn = dayNumber(one.drawn);
    const last = drawn + one.after;
    const prices = (await pricesOf(one.verdict.package, drawn)).filter(({ day }) => day <= last);
    const isCurrent = (prices.at(-1)?.day ?? 0) > last - CURRENT_DAYS;
    if (isCurrent) seen.add(feedOf(one));
    found.push({ one, prices, isCurrent });
  }
  return found.map(({ one, prices, isCurrent }) => {
    const { drawn, after, verdict } = one;
    const settled = { drawn, package: verdict.package, after };
    const later = prices.at(-1)?.price;
    if (isCurrent && later !== undefined) {
      const lowest = Math.min(...prices.map(({ price }) => price));
      return { ...settled, outcome: 'seen', later, lowest };
    }
    const isDeparting = packageParts(verdict.package).departure < dayNumber(drawn) + after + CURRENT_DAYS;
    const missing = seen.has(feedOf(one)) ? 'sold-out' : 'not-seen';
    return { ...settled, outcome: isDeparting ? 'departed' : missing, later: null, lowest: null };
  });
}

/** A missing package has sold out if another one of the same provider was seen in the same days. */
function feedOf({ drawn, after, verdict }: DueVerdict): string {
  return `${packageParts(verdict.package).provider} ${drawn} ${after}`;
}

/** Reads a provider's prices of the days after `drawn`. */
function priceReader(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  today: number,
): (itemKey: string, drawn: number) => Promise<DailyPrice[]> {
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const pricesOf = providerPriceReader(database);
  return async (itemKey, drawn) => {
    const key = await parseItemKey(itemKey, catalogue);
    if (key === null) return [];
    database.requireDays([key[OFFER.departureDay]]);
    const offer = ((await find.row(...key)) ?? null) as unknown as OfferRow | null;
    return (await pricesOf(key, offer, today, today - drawn)).daily;
  };
}
