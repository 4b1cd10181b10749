import { dayNumber } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import type { AlertStore } from './alert-store.ts';
import { nextLogicalTime } from './logical-clock.ts';
import { type PackageOnSale, resortKey } from './package-lookup.ts';

export interface Watch {
  id: number;
  contact: number;
  /** The number that the person sees in LIST and uses with STOP. */
  number: number;
  itemKey: string;
  state: 'asked' | 'active' | 'ended';
  /** The query of the flexible search that the sign-up came from; null: an exact search. */
  search: string | null;
}

/** A person's watch for a package, or null if there is none or it has ended. */
export function findWatch(store: AlertStore, contact: number, itemKey: string): Watch | null {
  return openWatches(store, contact).find((watch) => watch.itemKey === itemKey) ?? null;
}

/** Adds a watch. `below` is its price limit; null means an alert about every drop. */
export function addWatch(
  { sql }: AlertStore,
  contact: number,
  watched: PackageOnSale,
  { state, below, search, now }: Pick<Watch, 'state' | 'search'> & { below: Pence | null; now: number },
): Watch {
  const last = sql.get`select max(number) as number from alert_watch where contact = ${contact}`?.number;
  const number = Number(last ?? 0) + 1;
  const inserted = sql.get`insert into alert_watch
    (contact, number, item_key, resort, nights, party, departure_day, airport, board, half_stars, departs_at, state,
      started, created_at, below_price, search)
    values (${contact}, ${number}, ${watched.itemKey}, ${resortKey(watched)}, ${watched.nights}, ${watched.party},
      ${dayNumber(watched.departure)}, ${watched.airport}, ${watched.board}, ${watched.halfStars},
      ${watched.departsAt}, ${state}, ${state === 'active' ? nextLogicalTime(sql) : null}, ${now}, ${below}, ${search})
    returning id`;
  return { id: Number(inserted?.id), contact, number, itemKey: watched.itemKey, state, search };
}

export function startWatches({ sql }: AlertStore, contact: number, now: number): Watch[] {
  return sql.all<Watch>`update alert_watch set state = 'active', started = ${nextLogicalTime(sql)}
    where contact = ${contact} and state = 'asked' and departs_at > ${now}
    returning id, contact, number, item_key as "itemKey", state, search`;
}

/** A person's active watches whose holiday has not departed, in order of number. */
export function activeWatches({ sql }: AlertStore, contact: number, now: number): Watch[] {
  return sql.all<Watch>`select id, contact, number, item_key as "itemKey", state, search from alert_watch
    where contact = ${contact} and state = 'active' and departs_at > ${now} order by number`;
}

export function openWatches({ sql }: AlertStore, contact: number): Watch[] {
  return sql.all<Watch>`select id, contact, number, item_key as "itemKey", state, search from alert_watch
    where contact = ${contact} and state <> 'ended' order by number`;
}

export function endWatches({ sql }: AlertStore, contact: number, now: number): number {
  return sql.run`update alert_watch set state = 'ended', ended_at = ${now}
    where contact = ${contact} and state <> 'ended'`.changes;
}

/** A person's watch with a number, or null if there is none or it has ended. */
export function watchByNumber(store: AlertStore, contact: number, number: number): Watch | null {
  return openWatches(store, contact).find((watch) => watch.number === number) ?? null;
}

/** The watch that a person's last sent alert was about, or null if it has ended. */
export function lastToldWatch({ sql }: AlertStore, contact: number): Watch | null {
  const found = sql.get<Watch>`select id, contact, number, item_key as "itemKey", state, search from alert_watch
    where state <> 'ended' and id = (select watch from alert_message
      where contact = ${contact} and kind = 'drop' and attempt is not null order by attempt desc limit 1)`;
  return found ?? null;
}

export function endUnconfirmedWatches({ sql }: AlertStore, contact: number, now: number): number {
  return sql.run`update alert_watch set state = 'ended', ended_at = ${now}
    where contact = ${contact} and state = 'asked'`.changes;
}

export function changeLimit({ sql }: AlertStore, watch: number, below: Pence | null): void {
  sql.run`update alert_watch set below_price = ${below} where id = ${watch}`;
}

/** Ends a watch, and drops its queued messages. */
export function endWatch({ sql }: AlertStore, watch: number, now: number): void {
  sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id = ${watch} and state <> 'ended'`;
  sql.run`update alert_message set state = 'dropped', reason = 'the watch ended', settled_at = ${now}
    where watch = ${watch} and state = 'queued'`;
}
