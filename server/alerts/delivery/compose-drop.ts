import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import type { Pence } from '../../../domain/money.ts';
import { bySaving, newsOf, type WatchedPrice } from '../../../domain/price-drop.ts';
import { earliestAlert } from '../../../domain/quiet-hours.ts';
import { highestSince } from '../../../domain/running-highs.ts';
import { SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import { PRICE_RECORD_ROOT } from '../../inventory/inventory-notes.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import { readNote } from '../../storage/notes.ts';
import { readPriceSteps } from '../matching/running-highs.ts';
import { coversPackage } from '../matching/watched-packages.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { MessageText, QueuedMessage, Told } from '../tables/messages.ts';
import { holidayLinks, linkOfSearch, usableSearch } from '../texts/holiday-link.ts';
import { type DropFacts, type Dropped, fittingDropText } from '../texts/message-text.ts';
import { dueSearches, lowOf, newsOfSearches, type SearchNews, searchFacts } from './compose-search.ts';
import type { SendContext } from './send-context.ts';

/** `told`: the packages that the body names, by watch. `hasMore`: further watches have news, and stay due. */
export type Composition =
  | { kind: 'ready'; body: MessageText; told: readonly Told[]; hasMore: boolean }
  | { kind: 'wait'; until: number }
  | { kind: 'drop'; reason: string };

/** The most packages that a message names beside the best one. */
const MAX_OTHERS = 2;

/** Limits the work of one message; watches whose own package has fallen come first. */
const MAX_WATCHES = 50;

/** Composes a person's price alert from current prices of all their watches, if it may be sent now. */
export async function composeDrop(
  context: SendContext,
  message: QueuedMessage,
  now: number,
): Promise<Composition> {
  const { store, quietHours } = context;
  const watches = await watchesOf(store, message.contact, now);
  const due = await dueSearches(store, message.contact, now);
  if (watches.length + due.length === 0) return { kind: 'drop', reason: 'the watch ended' };
  const news = await Promise.all(
    watches.map(async (watch) => ({ watch, found: await newsOfWatch(store, watch, now) })),
  );
  const [best, ...others] = ranked(news.flatMap(({ found }) => found));
  if (best === undefined && due.length === 0) return { kind: 'drop', reason: 'the price rose again' };
  const earliest =
    message.hurried === 1 ? now : earliestAlert(now, await lastAlertAt(store, message.contact), quietHours);
  if (earliest > now) return { kind: 'wait', until: earliest };
  const root = await readNote(store.session, PRICE_RECORD_ROOT);
  const record = root === null || context.siteUrl === null ? null : { root, siteUrl: context.siteUrl };
  const [search, ...otherSearches] = await newsOfSearches(store, due, now);
  if (search !== undefined) {
    const { body, told } = await composeSearch(context, message, search, record, now);
    return { kind: 'ready', body, told, hasMore: best !== undefined || otherSearches.length > 0 };
  }
  if (best === undefined) return { kind: 'drop', reason: 'the price rose again' };
  // The search may not find a similar package, such as one from another airport.
  const links = holidayLinks(
    context.siteUrl,
    best.onSale,
    best.similarTo === null ? usableSearch(best.watch, now) : null,
  );
  const { session, packages } = store;
  const readHistory = packageHistoryReader(session, (await packages.reader()).totalAt);
  const history = await readHistory(best.onSale.offer, dayNumber(londonClock(now).day));
  const { body, count } = fittingDropText({
    message: message.id,
    watchNumber: best.watch.number,
    search: null,
    dropped: best,
    others: others.slice(0, MAX_OTHERS),
    low: lowOf(history.daily, now),
    links,
    record,
  });
  const named = new Set([best, ...others.slice(0, count)].map(({ itemKey }) => itemKey));
  // The watch of the best package comes first: the message's buttons are about it.
  const told = [best, ...news.flatMap(({ found }) => found)]
    .filter(({ itemKey }, index, all) => named.has(itemKey) && (index === 0 || all[index] !== best))
    .map(({ watch, itemKey }) => ({ watch: watch.id, itemKey }));
  const isUntold = (found: readonly News[]) =>
    found.length > 0 && !found.some(({ itemKey }) => named.has(itemKey));
  return { kind: 'ready', body, told, hasMore: news.some(({ found }) => isUntold(found)) };
}

/** A message about a search: its best package, and others that it finds for less than before. */
async function composeSearch(
  { store, siteUrl }: SendContext,
  message: QueuedMessage,
  news: SearchNews,
  record: DropFacts['record'],
  now: number,
): Promise<{ body: MessageText; told: Told[] }> {
  const { watch, best, others } = news;
  const { body } = fittingDropText({
    message: message.id,
    watchNumber: watch.number,
    search: await searchFacts(store, watch),
    dropped: { onSale: best, reference: null, similarTo: null },
    others: others.map((onSale) => ({ onSale, reference: null, similarTo: null })),
    low: lowOf(
      watch.prices.map(([day, price]) => ({ day, price })),
      now,
    ),
    links: holidayLinks(siteUrl, best, linkOfSearch(watch.itemKey, best)),
    record,
  });
  const { told, was } = watch;
  const price = { price: best.price, before: told, was };
  return { body, told: [{ watch: watch.watch, itemKey: best.itemKey, search: price }] };
}

/** A package of a watch that deserves a message. */
interface News extends Dropped, WatchedPrice {
  watch: Watch;
  reference: Pence;
  /** Watched packages come first, then the best similar one of each watch, then the others. */
  rank: 0 | 1 | 2;
}

/** Each package once, by rank and saving. */
function ranked(news: readonly News[]): News[] {
  const seen = new Set<string>();
  return news
    .toSorted((one, other) => one.rank - other.rank || bySaving(one, other))
    .filter(({ itemKey }) => !seen.has(itemKey) && seen.add(itemKey));
}

/** When a person's last alert was sent. Ignores failed ones. */
async function lastAlertAt({ sql }: AlertSession, contact: number): Promise<number | null> {
  const last = await sql.get<{ at: number | null }>`select max(started_at) as at from alert_message
    where contact = ${contact} and kind = 'drop' and state in ('sending', 'unknown', 'accepted', 'delivered', 'read')`;
  return last?.at ?? null;
}

interface Watch {
  id: number;
  /** The number that the person sees in LIST. */
  number: number;
  itemKey: string;
  search: string | null;
  resort: string;
  nights: number;
  party: string;
  departure_day: number;
  airport: string;
  board: string;
  half_stars: number;
  started: number;
}

async function watchesOf({ sql }: AlertSession, contact: number, now: number): Promise<Watch[]> {
  return sql.all<Watch>`select id, number, alert_watch.item_key as "itemKey", search, resort,
      nights, party, alert_watch.departure_day, airport, board, half_stars, started
    from alert_watch left join alert_fallen_price on alert_fallen_price.item_key = alert_watch.item_key
    where contact = ${contact} and state = 'active' and departs_at > ${now} and resort <> '//'
    order by case when steps is null then 1 else 0 end, number limit ${MAX_WATCHES}`;
}

async function newsOfWatch(
  { session, sql, packages }: AlertSession,
  watch: Watch,
  now: number,
): Promise<News[]> {
  const { id, itemKey: own, resort, nights, party, departure_day: day, airport, started } = watch;
  const days = Array.from({ length: 2 * SIMILAR_DAYS + 1 }, (_, nth) => day - SIMILAR_DAYS + nth);
  const covered = (
    await packages.onSale({ resort, nights, party, days, airports: packages.airportsNear(airport) })
  ).filter((onSale) => coversPackage(watch, onSale, packages));
  const watched = covered.find(({ itemKey }) => itemKey === own);
  const steps = await readPriceSteps(
    session,
    covered.map(({ itemKey }) => itemKey),
  );
  const rows = await sql.all`select item_key, moment from alert_told where watch = ${id}`;
  const told = new Map(rows.map(({ item_key, moment }) => [item_key, Number(moment)]));
  const { totalAt } = await packages.reader();
  const prices = covered.map((onSale) => {
    const { itemKey, price, departsAt, expiresAt } = onSale;
    const since = told.get(itemKey) ?? started;
    const recorded = highestSince(steps.get(itemKey) ?? [], since, onSale.offer[OFFER.price]);
    const reference = totalAt(onSale.offer, recorded);
    const similarTo = itemKey === own ? null : (watched ?? null);
    return { watch, onSale, similarTo, itemKey, reference, price, departsAt, expiresAt };
  });
  return newsOf({ now, own, prices }).map((one, index) => ({
    ...one,
    rank: one.similarTo === null ? 0 : index === 0 ? 1 : 2,
  }));
}
