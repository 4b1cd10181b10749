import * as v from 'valibot';
import { fromDayNumber } from '../../../domain/calendar-date.ts';
import { decideAlert, type WatchedPrice } from '../../../domain/price-drop.ts';
import { highestSince } from '../../../domain/price-steps.ts';
import { type ComparablePackage, isSimilarPackage, SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import { keptSteps } from '../matching/price-steps-table.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { nextMoment } from '../records/logical-clock.ts';
import { dropText } from '../records/message-text.ts';
import type { KnownPackage } from '../records/package-lookup.ts';
import type { QueuedMessage, Readiness } from './claim-message.ts';
import type { SendContext } from './send-context.ts';

/** What a message tells of: the packages, the moment, and when each was told before, until it is known to be sent. */
const telling = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    moment: v.number(),
    packages: v.array(v.object({ itemKey: v.string(), before: v.nullable(v.number()) })),
  }),
);

/** What a watch's alert says by the prices of this moment, if anything, and whether this is the time. */
export function composeDrop(context: SendContext, message: QueuedMessage, now: number): Readiness {
  const { store, quietHours } = context;
  if (message.watch === null || !isActive(store, message.watch, now))
    return { kind: 'drop', reason: 'the watch ended' };
  const known = new Map<string, KnownPackage>();
  const decision = decideAlert({
    now,
    lastAlertAt: lastAlertAt(store, message.person),
    quiet: quietHours,
    isHurried: message.hurried === 1,
    prices: watchedPrices(store, message.watch, known),
  });
  if (decision.kind === 'wait') return decision;
  if (decision.kind === 'stale') return { kind: 'drop', reason: 'the price rose again' };
  const [best, ...others] = decision.drops;
  const dropped = known.get(best.itemKey);
  if (dropped === undefined) return { kind: 'drop', reason: 'nothing to say' };
  const told = decision.drops.map(({ itemKey }) => itemKey);
  return {
    kind: 'ready',
    body: dropText(dropped, best.reference, others.length),
    told: told,
  };
}

/**
 * From now on the prices told are the references: only a deeper drop is news. Gives what is kept with the message,
 * so that it can be untold.
 */
export function tell({ sql }: AlertStore, watch: number, itemKeys: readonly string[]): string {
  const moment = nextMoment(sql);
  const packages = itemKeys.map((itemKey) => {
    const before =
      sql.get`select moment from alert_told where watch = ${watch} and item_key = ${itemKey}`?.moment ?? null;
    sql.run`insert into alert_told (watch, item_key, moment) values (${watch}, ${itemKey}, ${moment})
      on conflict (watch, item_key) do update set moment = excluded.moment`;
    return { itemKey, before };
  });
  return JSON.stringify({ moment, packages });
}

/** The message was not sent after all: its drops have yet to be told, but for those told again since. */
export function untell({ sql }: AlertStore, watch: number, told: string): void {
  const { moment, packages } = v.parse(telling, told);
  for (const { itemKey, before } of packages) {
    if (before === null) {
      sql.run`delete from alert_told where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}`;
    } else {
      sql.run`update alert_told set moment = ${before}
        where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}`;
    }
  }
}

/** The message did arrive: its drops have been told at its moment, unless they were told again since. */
export function tellAgain({ sql }: AlertStore, watch: number, told: string): void {
  const { moment, packages } = v.parse(telling, told);
  for (const { itemKey } of packages) {
    sql.run`insert into alert_told (watch, item_key, moment) values (${watch}, ${itemKey}, ${moment})
      on conflict (watch, item_key) do update set moment = excluded.moment
      where alert_told.moment < excluded.moment`;
  }
}

function isActive({ sql }: AlertStore, watch: number, now: number): boolean {
  const found = sql.get`select 1 from alert_watch where id = ${watch} and state = 'active' and departs_at > ${now}`;
  return found !== undefined;
}

/** When the last alert went to a person, of all their watches. What certainly did not arrive was none. */
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
  steps: keptSteps,
  told: v.nullable(v.number()),
});

/** The packages of a watch that stand below an earlier price, as they are on sale now, with their references. */
function watchedPrices(store: AlertStore, watch: number, known: Map<string, KnownPackage>): WatchedPrice[] {
  const { sql, packages } = store;
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
    const found = packages.find(row.item_key);
    if (found === null) return [];
    known.set(found.itemKey, found);
    const { itemKey, price, departsAt, expiresAt } = found;
    return [
      {
        itemKey,
        reference: highestSince(row.steps, row.told ?? own.started, price),
        price,
        departsAt,
        expiresAt,
      },
    ];
  });
}

/** A row's package; its place, nights and party are those of the watch, by which it was found. */
function comparable(
  { resort, nights, party }: v.InferOutput<typeof watchRow>,
  row: Pick<v.InferOutput<typeof fallenRow>, 'departure_day' | 'airport' | 'board' | 'half_stars'>,
): ComparablePackage {
  const departure = fromDayNumber(row.departure_day);
  const { airport, board, half_stars: halfStars } = row;
  return { country: '', region: '', resort, nights, party, departure, airport, board, halfStars };
}
