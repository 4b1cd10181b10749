import { dayNumber } from '../../domain/calendar-date.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { providerPriceReader } from '../price-history/package-history.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { packageParts, type RecordLine } from './record-file.ts';

/** A price counts as current for this many days. */
const CURRENT_DAYS = 3;

/** The last day that counts for a line. */
const lastDayOf = ({ drawn, after }: RecordLine) => dayNumber(drawn) + (after ?? 0);

/** Adds outcomes to the lines that are due, in order, from the price runs. Reads only. */
export async function settleVerdicts(
  database: SqlSession,
  catalogue: CodedCatalogue,
  due: readonly RecordLine[],
  today: number,
): Promise<RecordLine[]> {
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const pricesOf = providerPriceReader(database);

  async function settled(line: RecordLine): Promise<RecordLine> {
    const last = lastDayOf(line);
    const key = await parseItemKey(line.package, catalogue);
    if (key !== null) database.cluster?.requireDays([key[OFFER.departureDay]]);
    const offer = ((key && (await find.row(...key))) ?? null) as unknown as OfferRow | null;
    const history = key && (await pricesOf(key, offer, today, today - dayNumber(line.drawn)));
    const prices = history?.daily.filter(({ day }) => day <= last) ?? [];
    const latest = prices.at(-1);
    if (latest !== undefined && latest.day > last - CURRENT_DAYS) {
      const lowest = Math.min(...prices.map(({ price }) => price));
      return { ...line, outcome: 'seen', later: latest.price, lowest };
    }
    const isDeparting = packageParts(line.package).departure < last + CURRENT_DAYS;
    return { ...line, outcome: isDeparting ? 'departed' : 'not-seen' };
  }

  const lines: RecordLine[] = [];
  for (const line of due) lines.push(await settled(line));
  const feedOf = (line: RecordLine) => `${packageParts(line.package).provider} ${lastDayOf(line)}`;
  const seen = new Set(lines.filter(({ outcome }) => outcome === 'seen').map(feedOf));
  const isSoldOut = (line: RecordLine) => line.outcome === 'not-seen' && seen.has(feedOf(line));
  return lines.map((line) => (isSoldOut(line) ? { ...line, outcome: 'sold-out' } : line));
}
