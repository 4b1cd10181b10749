import * as v from 'valibot';
import { fromDayNumber } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import { decideAlert } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/price-steps.ts';
import { type ComparablePackage, isSimilarPackage, SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import { storedPriceSteps } from '../matching/price-steps-table.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { holidayLink } from '../records/holiday-link.ts';
import { type Dropped, fittingDropText } from '../records/message-text.ts';
import type { PackageOnSale } from '../records/package-lookup.ts';
import { lowestPrice } from './lowest-price.ts';
import type { Composition, QueuedMessage } from './queued-message.ts';
import type { SendContext } from './send-context.ts';

/** Composes a watch's price alert from the prices of this moment, if there is a drop and now is the time for it. */
export function composeDrop(context: SendContext, message: QueuedMessage, now: number): Composition {
  const { store, quietHours } = context;
  const watch = message.watch === null ? null : activeWatch(store, message.watch, now);
  if (message.watch === null || watch === null) return { kind: 'drop', reason: 'the watch ended' };
  const candidates = fallenPackages(store, message.watch);
  const decision = decideAlert({
    now,
    lastAlertAt: lastAlertAt(store, message.person),
    quiet: quietHours,
    isHurried: message.hurried === 1,
    below: watch.below,
    prices: candidates.map(({ onSale: { itemKey, price, departsAt, expiresAt }, reference }) => ({
      itemKey,
      reference,
      price,
      departsAt,
      expiresAt,
    })),
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
  const link = holidayLink(context.siteUrl, dropped.onSale);
  const facts = { watchNumber: watch.number, below: watch.below, dropped, similar, low, link };
  const { body, named } = fittingDropText(facts);
  return {
    kind: 'ready',
    body,
    itemKeys: found.slice(0, 1 + named).map(({ onSale }) => onSale.itemKey),
    hasMore: decision.drops.length > 1 + named,
  };
}

/** Similar packages that one message names. Others stay due. */
const MAX_SIMILAR = 3;

/** An active watch's number in its person's LIST and its own price limit; null if the watch has ended. */
function activeWatch(
  { sql }: AlertStore,
  watch: number,
  now: number,
): { number: number; below: Pence | null } | null {
  const found = sql.get`select number, below_price from alert_watch
    where id = ${watch} and state = 'active' and departs_at > ${now}`;
  if (found === undefined) return null;
  return {
    number: Number(found.number),
    below: found.below_price === null ? null : Number(found.below_price),
  };
}

/** When a person last got an alert, from any of their watches. Alerts that certainly did not arrive do not count. */
function lastAlertAt({ sql }: AlertStore, person: number): number | null {
  const last = sql.get`select max(alert_attempt.started_at) as at
    from alert_attempt join alert_message on alert_message.id = alert_attempt.message
    where alert_attempt.person = ${person} and alert_message.kind = 'drop'
      and alert_attempt.state not in ('rejected', 'failed')`?.at;
  return typeof last === 'number' ? last : null;
}

const watchRow = v.object({
  resort: v.string(),
  nights: v.number(),
  party: v.string(),
  departure_day: v.number(),
  airport: v.string(),
  board: v.string(),
  half_stars: v.number(),
  started: v.number(),
});

const fallenRow = v.object({
  item_key: v.string(),
  departure_day: v.number(),
  airport: v.string(),
  board: v.string(),
  half_stars: v.number(),
  steps: storedPriceSteps,
  told: v.nullable(v.number()),
});

/** A package on sale below an earlier price, and the price that a drop is measured from. */
interface FallenPackage {
  onSale: PackageOnSale;
  reference: Pence;
}

/** The packages that a watch covers and that cost less than they did. */
function fallenPackages({ sql, packages }: AlertStore, watch: number): FallenPackage[] {
  const own = v.parse(
    watchRow,
    sql.get`select resort, nights, party, departure_day, airport, board, half_stars, started
    from alert_watch where id = ${watch}`,
  );
  const fallen = sql.all`select alert_fallen_price.item_key as item_key, departure_day, airport, board, half_stars,
      steps, alert_told.moment as told
    from alert_fallen_price
    left join alert_told on alert_told.item_key = alert_fallen_price.item_key and watch = ${watch}
    where resort = ${own.resort} and nights = ${own.nights} and party = ${own.party}
      and departure_day between ${own.departure_day - SIMILAR_DAYS} and ${own.departure_day + SIMILAR_DAYS}`;
  const near = packages.airportsNear(own.airport);
  return fallen.flatMap((raw) => {
    const row = v.parse(fallenRow, raw);
    if (!isSimilarPackage(comparable(own, own), comparable(own, row), near)) return [];
    const onSale = packages.find(row.item_key);
    if (onSale === null) return [];
    return [{ onSale, reference: highestSince(row.steps, row.told ?? own.started, onSale.price) }];
  });
}

/** The package of a row. Its resort, nights and party are the watch's, because the query selects by them. */
function comparable(
  { resort, nights, party }: v.InferOutput<typeof watchRow>,
  row: Pick<v.InferOutput<typeof fallenRow>, 'departure_day' | 'airport' | 'board' | 'half_stars'>,
): ComparablePackage {
  const departure = fromDayNumber(row.departure_day);
  const { airport, board, half_stars: halfStars } = row;
  return { country: '', region: '', resort, nights, party, departure, airport, board, halfStars };
}
