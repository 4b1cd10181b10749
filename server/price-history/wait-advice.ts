import { adviceSentence, kindOf, type PriceSituation, type WaitRecord } from '../../domain/book-or-wait.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import { median } from '../../domain/median.ts';
import { MIN_PRICES } from '../../domain/price-verdict.ts';
import { PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import type { Offer } from '../inventory/offer.ts';
import { readNote } from '../storage/notes.ts';
import type { SqlSession } from '../storage/sql-database.ts';

/** A package's prices in total, by day, up to `today` (days since 1970-01-01). */
interface PricedOffer {
  offer: Offer;
  daily: readonly DailyPrice[];
  today: number;
}

/** What decides the kind of a price; null if the package has too few prices for a median. */
export function situationOf({ offer, daily, today }: PricedOffer): PriceSituation | null {
  const own = daily.length < MIN_PRICES ? null : median(daily.map((one) => one.price));
  if (own === null) return null;
  const price = offer.total;
  const since = daily[daily.findLastIndex((one) => one.price !== price) + 1]?.day ?? today;
  const daysToDeparture = offer.departureDay - today;
  return { price, median: own, daysToDeparture, daysUnchanged: today - since };
}

/** Reads what the price record has learnt. Returns the advice for a price as a sentence, or null. */
export async function waitAdvice(database: SqlSession): Promise<(priced: PricedOffer) => string | null> {
  const note = await readNote(database, PRICE_RECORD_WAITS);
  const records = (JSON.parse(note ?? 'null') ?? {}) as Readonly<Record<string, WaitRecord>>;
  return (priced) => {
    const situation = situationOf(priced);
    return situation === null ? null : adviceSentence(records[kindOf(situation)]);
  };
}
