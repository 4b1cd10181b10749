import * as v from 'valibot';
import { dayNumber } from '../../../domain/calendar-date.ts';
import type { Pence } from '../../../domain/money.ts';
import type { AlertStore } from './alert-store.ts';
import { nextLogicalTime } from './logical-clock.ts';
import { type PackageOnSale, resortKey } from './package-lookup.ts';

export interface Watch {
  id: number;
  person: number;
  /** Its number in the person's LIST and STOP. */
  number: number;
  itemKey: string;
  state: 'asked' | 'active' | 'ended';
}

const row = v.object({
  id: v.number(),
  person: v.number(),
  number: v.number(),
  item_key: v.string(),
  state: v.picklist(['asked', 'active', 'ended']),
});

/** A person's unconfirmed or active watch of a package, or null. */
export function findWatch(store: AlertStore, person: number, itemKey: string): Watch | null {
  return openWatches(store, person).find((watch) => watch.itemKey === itemKey) ?? null;
}

/** Adds a watch; `below` is its own price limit, null for every drop. */
export function addWatch(
  { sql }: AlertStore,
  person: number,
  watched: PackageOnSale,
  { state, below, now }: { state: 'asked' | 'active'; below: Pence | null; now: number },
): Watch {
  const last = sql.get`select max(number) as number from alert_watch where person = ${person}`?.number;
  const number = Number(last ?? 0) + 1;
  const inserted = sql.get`insert into alert_watch
    (person, number, item_key, resort, nights, party, departure_day, airport, board, half_stars, departs_at, state,
      started, created_at, below_price)
    values (${person}, ${number}, ${watched.itemKey}, ${resortKey(watched)}, ${watched.nights}, ${watched.party},
      ${dayNumber(watched.departure)}, ${watched.airport}, ${watched.board}, ${watched.halfStars},
      ${watched.departsAt}, ${state}, ${state === 'active' ? nextLogicalTime(sql) : null}, ${now}, ${below})
    returning id`;
  return { id: Number(inserted?.id), person, number, itemKey: watched.itemKey, state };
}

/** Starts a person's unconfirmed watches; returns those that started. */
export function startWatches({ sql }: AlertStore, person: number, now: number): Watch[] {
  return sql.all`update alert_watch set state = 'active', started = ${nextLogicalTime(sql)}
    where person = ${person} and state = 'asked' and departs_at > ${now}
    returning id, person, number, item_key, state`.map(parsed);
}

/** A person's active watches that have not departed, in order of number. */
export function activeWatches({ sql }: AlertStore, person: number, now: number): Watch[] {
  return sql.all`select id, person, number, item_key, state from alert_watch
    where person = ${person} and state = 'active' and departs_at > ${now} order by number`.map(parsed);
}

/** A person's unconfirmed and active watches, in order of number. */
export function openWatches({ sql }: AlertStore, person: number): Watch[] {
  return sql.all`select id, person, number, item_key, state from alert_watch
    where person = ${person} and state <> 'ended' order by number`.map(parsed);
}

/** Ends every watch of a person; returns how many. */
export function endWatches({ sql }: AlertStore, person: number, now: number): number {
  const { changes } = sql.run`update alert_watch set state = 'ended', ended_at = ${now}
    where person = ${person} and state <> 'ended'`;
  return changes;
}

/** A person's unconfirmed or active watch with a number, or null. */
export function watchByNumber(store: AlertStore, person: number, number: number): Watch | null {
  return openWatches(store, person).find((watch) => watch.number === number) ?? null;
}

/** The watch that a person's last sent alert was about, or null if it has ended. */
export function lastToldWatch({ sql }: AlertStore, person: number): Watch | null {
  const found = sql.get`select id, person, number, item_key, state from alert_watch
    where state <> 'ended' and id = (select watch from alert_message
      where person = ${person} and kind = 'drop' and attempt is not null order by attempt desc limit 1)`;
  return found === undefined ? null : parsed(found);
}

/** Ends the watches of a person that wait for YES. */
export function endUnconfirmedWatches({ sql }: AlertStore, person: number, now: number): number {
  return sql.run`update alert_watch set state = 'ended', ended_at = ${now}
    where person = ${person} and state = 'asked'`.changes;
}

/** Changes a watch's own price limit; null: it hears of every drop. */
export function changeLimit({ sql }: AlertStore, watch: number, below: Pence | null): void {
  sql.run`update alert_watch set below_price = ${below} where id = ${watch}`;
}

/** Ends a watch, and drops its queued messages. */
export function endWatch({ sql }: AlertStore, watch: number, now: number): void {
  sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id = ${watch} and state <> 'ended'`;
  sql.run`update alert_message set state = 'dropped', reason = 'the watch ended', settled_at = ${now}
    where watch = ${watch} and state = 'queued'`;
}

function parsed(found: unknown): Watch {
  const { id, person, number, item_key, state } = v.parse(row, found);
  return { id, person, number, itemKey: item_key, state };
}
