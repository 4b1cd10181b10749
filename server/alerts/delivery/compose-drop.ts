import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import type { Pence } from '../../../domain/money.ts';
import { decideAlert } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/running-highs.ts';
import { SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import { readPriceSteps } from '../matching/running-highs.ts';
import { coversPackage } from '../matching/watched-packages.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { holidayLinks, usableSearch } from '../texts/holiday-link.ts';
import { type DropFacts, type Dropped, fittingDropText } from '../texts/message-text.ts';
import type { Composition, QueuedMessage } from './queued-message.ts';
import type { SendContext } from './send-context.ts';

/** Composes a watch's price alert from current prices, if there is a drop that may be sent now. */
export function composeDrop(context: SendContext, message: QueuedMessage, now: number): Composition {
  const { store, quietHours } = context;
  const watch = store.sql
    .get<Watch>`select id, number, item_key as "itemKey", search, below_price as below, resort, nights, party, departure_day,
      airport, board, half_stars, started from alert_watch
    where id = ${message.watch} and state = 'active' and departs_at > ${now}`;
  if (watch === undefined) return { kind: 'drop', reason: 'the watch ended' };
  const candidates = fallenPackages(store, watch);
  const decision = decideAlert({
    now,
    lastAlertAt: lastAlertAt(store, message.contact),
    quiet: quietHours,
    isHurried: message.hurried === 1,
    below: watch.below,
    prices: candidates.map(({ onSale, reference }) => ({ ...onSale, reference })),
  });
  if (decision.kind === 'wait') return decision;
  if (decision.kind === 'stale') return { kind: 'drop', reason: 'the price rose again' };
  const found = decision.drops.slice(0, 1 + MAX_SIMILAR).flatMap(({ itemKey, reference }): Dropped[] => {
    const onSale = candidates.find((candidate) => candidate.onSale.itemKey === itemKey)?.onSale;
    return onSale === undefined ? [] : [{ onSale, was: reference }];
  });
  const [dropped, ...similar] = found;
  if (dropped === undefined) return { kind: 'drop', reason: 'no longer on sale' };
  const low = lowestPrice(store, dropped.onSale, now);
  // The search may not find a similar package, such as one from another airport.
  const search = dropped.onSale.itemKey === watch.itemKey ? usableSearch(watch, now) : null;
  const links = holidayLinks(context.siteUrl, dropped.onSale, search);
  const facts = { watchNumber: watch.number, below: watch.below, dropped, similar, low, links };
  const { body, named } = fittingDropText(facts);
  return {
    kind: 'ready',
    body,
    itemKeys: found.slice(0, 1 + named).map(({ onSale }) => onSale.itemKey),
    hasMore: decision.drops.length > 1 + named,
  };
}

/** How many similar packages one message may have. The others are sent the next day. */
const MAX_SIMILAR = 3;

/** When a person's last alert was sent, for any watch. Ignores failed attempts. */
function lastAlertAt({ sql }: AlertStore, contact: number): number | null {
  const last = sql.get`select max(alert_attempt.started_at) as at
    from alert_attempt join alert_message on alert_message.id = alert_attempt.message
    where alert_attempt.contact = ${contact} and alert_message.kind = 'drop'
      and alert_attempt.state not in ('rejected', 'failed')`?.at;
  return typeof last === 'number' ? last : null;
}

interface Watch {
  id: number;
  /** The number that the person sees in LIST. */
  number: number;
  itemKey: string;
  search: string | null;
  below: Pence | null;
  resort: string;
  nights: number;
  party: string;
  departure_day: number;
  airport: string;
  board: string;
  half_stars: number;
  started: number;
}

/** A package that costs less than before. A drop is measured from `reference`. */
interface FallenPackage {
  onSale: PackageOnSale;
  reference: Pence;
}

function fallenPackages({ database, sql, packages }: AlertStore, watch: Watch): FallenPackage[] {
  const { id, resort, nights, party, departure_day: day, airport, started } = watch;
  const days = Array.from({ length: 2 * SIMILAR_DAYS + 1 }, (_, nth) => day - SIMILAR_DAYS + nth);
  const covered = packages
    .onSale({ resort, nights, party, days, airports: packages.airportsNear(airport) })
    .filter((onSale) => coversPackage(watch, onSale, packages));
  const steps = readPriceSteps(
    database,
    covered.map(({ itemKey }) => itemKey),
  );
  const rows = sql.all`select item_key, moment from alert_told where watch = ${id}`;
  const told = new Map(rows.map(({ item_key, moment }) => [item_key, Number(moment)]));
  return covered.flatMap((onSale) => {
    const fallen = steps.get(onSale.itemKey);
    if (fallen === undefined) return [];
    const since = told.get(onSale.itemKey) ?? started;
    const recorded = highestSince(fallen, since, onSale.offer[OFFER.price]);
    return [{ onSale, reference: packages.totalAt(onSale.offer, recorded) }];
  });
}

const LOW_DAYS = 30;

/** A package's lowest known price of the last 30 days; null if there is none. */
function lowestPrice(
  { database, packages }: AlertStore,
  { offer }: PackageOnSale,
  now: number,
): DropFacts['low'] {
  const today = dayNumber(londonClock(now).day);
  const recent = packageHistoryReader(database, packages.totalAt)(offer, today).daily.filter(
    ({ day }) => day > today - LOW_DAYS,
  );
  const [first] = recent;
  if (first === undefined) return null;
  return { price: Math.min(...recent.map(({ price }) => price)), days: today - first.day + 1 };
}
