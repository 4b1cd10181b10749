import { dayNumber } from '../../../domain/calendar-date.ts';
import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { formatWholePounds } from '../../../domain/money.ts';
import { firesBelow } from '../../../domain/search-watch.ts';
import { foundOnSale, limitWords, searchName } from '../matching/describe-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { dropDue, type SearchWatch, searchWatches } from '../tables/search-watches.ts';
import type { DropFacts, SearchFacts } from '../texts/message-text.ts';

/** What a due watch of a search has to tell: the packages that it finds, the lowest total first. */
export interface SearchNews {
  watch: SearchWatch;
  best: PackageOnSale;
  others: PackageOnSale[];
}

/** The packages that a message names, the best one included. */
const MAX_NAMED = 3;

/** Limits the work of one message. */
const MAX_WATCHES = 20;

const LOW_DAYS = 30;

/** With less history, a lowest price says little. */
const MIN_LOW_DAYS = 7;

export async function dueSearches(store: AlertSession, contact: number, now: number): Promise<SearchWatch[]> {
  const condition = `contact = ? and is_due = 1 and state = 'active' and departs_at > ? order by watch limit ${MAX_WATCHES}`;
  return searchWatches(store, condition, contact, now);
}

/** Runs the searches of due watches again. A watch is no longer due if its total has risen too far. */
export async function newsOfSearches(
  store: AlertSession,
  due: readonly SearchWatch[],
  now: number,
): Promise<SearchNews[]> {
  const news: SearchNews[] = [];
  for (const watch of due) {
    const found = await foundOnSale(store, watch.itemKey, MAX_NAMED, now);
    const [best, ...others] = found.filter(({ price }) => price < firesBelow(watch));
    if (best === undefined) await dropDue(store, watch.watch);
    else news.push({ watch, best, others });
  }
  return news;
}

/** What the message about a search says beside its best package. */
export async function searchFacts({ session }: AlertSession, watch: SearchWatch): Promise<SearchFacts> {
  const from = watch.booked ?? watch.was;
  return {
    name: await searchName(session, watch.itemKey),
    limitLine: limitWords(watch),
    isBooked: watch.booked !== null,
    from: from === null ? 'not being on sale' : formatWholePounds(from),
  };
}

/** The lowest price of the last 30 days; null with under a week of history. */
export function lowOf(daily: readonly DailyPrice[], now: number): DropFacts['low'] {
  const today = dayNumber(londonClock(now).day);
  const recent = daily.filter(({ day }) => day > today - LOW_DAYS);
  const first = recent[0]?.day;
  if (first === undefined || today - first + 1 < MIN_LOW_DAYS) return null;
  return { price: Math.min(...recent.map(({ price }) => price)), days: today - first + 1 };
}
