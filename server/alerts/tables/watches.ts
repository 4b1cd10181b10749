import { dayNumber } from '../../../domain/calendar-date.ts';
import type { AlertSession } from './alert-store.ts';
import { nextLogicalTime } from './logical-clock.ts';
import { dropMessagesOfWatch } from './messages.ts';
import { type PackageOnSale, resortKey } from './package-lookup.ts';

export interface Watch {
  id: number;
  contact: number;
  /** The number that the person sees in LIST and uses with STOP. */
  number: number;
  itemKey: string;
  /** `paused`: by a STOP, until START. */
  state: 'asked' | 'active' | 'paused' | 'ended';
  /** The query of the flexible search that the sign-up came from; null: an exact search. */
  search: string | null;
}

/** A person's watch for a package, or null if there is none or it has ended. */
export async function findWatch(
  store: AlertSession,
  contact: number,
  itemKey: string,
): Promise<Watch | null> {
  return (await openWatches(store, contact)).find((watch) => watch.itemKey === itemKey) ?? null;
}

/** The traits of what is watched. A search has only some of them. */
export type WatchedTraits = Pick<
  PackageOnSale,
  | 'itemKey'
  | 'country'
  | 'region'
  | 'resort'
  | 'nights'
  | 'party'
  | 'departure'
  | 'airport'
  | 'board'
  | 'halfStars'
  | 'departsAt'
>;

export async function addWatch(
  { sql }: AlertSession,
  contact: number,
  watched: WatchedTraits,
  { state, search, now }: Pick<Watch, 'state' | 'search'> & { now: number },
): Promise<Watch> {
  const last = (await sql.get`select max(number) as number from alert_watch where contact = ${contact}`)
    ?.number;
  const number = Number(last ?? 0) + 1;
  const inserted = await sql.get`insert into alert_watch
    (contact, number, item_key, resort, nights, party, departure_day, airport, board, half_stars, departs_at, state,
      started, created_at, search)
    values (${contact}, ${number}, ${watched.itemKey}, ${resortKey(watched)}, ${watched.nights}, ${watched.party},
      ${dayNumber(watched.departure)}, ${watched.airport}, ${watched.board}, ${watched.halfStars},
      ${watched.departsAt}, ${state}, ${state === 'active' ? await nextLogicalTime(sql) : null}, ${now}, ${search})
    returning id`;
  return { id: Number(inserted?.id), contact, number, itemKey: watched.itemKey, state, search };
}

/** Starts the watches that wait for confirmation, if the person confirmed after signing up for them. */
export async function startWatches(
  { sql }: AlertSession,
  contact: number,
  { confirmedAt, now }: { confirmedAt: number; now: number },
): Promise<Watch[]> {
  return sql.all<Watch>`update alert_watch set state = 'active', started = ${await nextLogicalTime(sql)}
    where contact = ${contact} and state = 'asked' and created_at <= ${confirmedAt} and departs_at > ${now}
    returning id, contact, number, item_key as "itemKey", state, search`;
}

/** Pauses a person's watches, including those that wait for confirmation. */
export async function pauseWatches({ sql }: AlertSession, contact: number): Promise<void> {
  await sql.run`update alert_watch set state = 'paused' where contact = ${contact} and state in ('asked', 'active')`;
}

/** Pauses one active watch, and drops its queued messages. Returns false if it is not active. */
export async function pauseWatch(store: AlertSession, watch: number, now: number): Promise<boolean> {
  const { changes } = await store.sql
    .run`update alert_watch set state = 'paused' where id = ${watch} and state = 'active'`;
  if (changes > 0) await dropMessagesOfWatch(store, watch, now);
  return changes > 0;
}

/** Brings paused watches back, unless their holiday has departed. Returns those that are active again. */
export async function resumeWatches({ sql }: AlertSession, contact: number, now: number): Promise<Watch[]> {
  const resumed = await sql.all<Watch>`update alert_watch
    set state = case when started is null then 'asked' else 'active' end
    where contact = ${contact} and state = 'paused' and departs_at > ${now}
    returning id, contact, number, item_key as "itemKey", state, search`;
  return resumed.filter(({ state }) => state === 'active');
}

/** Makes a paused or ended watch active, unless its holiday has departed or has another watch. */
export async function restartWatch(
  { sql }: AlertSession,
  contact: number,
  number: number,
  now: number,
): Promise<Watch[]> {
  return sql.all<Watch>`update alert_watch set state = 'active', ended_at = null,
      started = case when state = 'paused' and started is not null then started else ${await nextLogicalTime(sql)} end
    where contact = ${contact} and number = ${number} and state in ('paused', 'ended') and departs_at > ${now}
      and not exists (select 1 from alert_watch as other where other.contact = alert_watch.contact
        and other.item_key = alert_watch.item_key and other.id <> alert_watch.id and other.state <> 'ended')
    returning id, contact, number, item_key as "itemKey", state, search`;
}

/** A person's watches in a state whose holiday has not departed, in order of number. */
export async function watchesIn(
  { sql }: AlertSession,
  contact: number,
  state: Exclude<Watch['state'], 'ended'>,
  now: number,
): Promise<Watch[]> {
  return sql.all<Watch>`select id, contact, number, item_key as "itemKey", state, search from alert_watch
    where contact = ${contact} and state = ${state} and departs_at > ${now} order by number`;
}

export async function openWatches({ sql }: AlertSession, contact: number): Promise<Watch[]> {
  return sql.all<Watch>`select id, contact, number, item_key as "itemKey", state, search from alert_watch
    where contact = ${contact} and state <> 'ended' order by number`;
}

/** Ends all watches for good. A STOP only pauses them. */
export async function endWatches({ sql }: AlertSession, contact: number, now: number): Promise<number> {
  return (
    await sql.run`update alert_watch set state = 'ended', ended_at = ${now}
    where contact = ${contact} and state <> 'ended'`
  ).changes;
}

/** A person's watch with a number, or null if there is none or it has ended. */
export async function watchByNumber(
  store: AlertSession,
  contact: number,
  number: number,
): Promise<Watch | null> {
  return (await openWatches(store, contact)).find((watch) => watch.number === number) ?? null;
}

/** Ends the watches that wait for confirmation, if the person declined after signing up for them. */
export async function endUnconfirmedWatches(
  { sql }: AlertSession,
  contact: number,
  { declinedAt, now }: { declinedAt: number; now: number },
): Promise<Watch[]> {
  return sql.all<Watch>`update alert_watch set state = 'ended', ended_at = ${now}
    where contact = ${contact} and state = 'asked' and created_at <= ${declinedAt}
    returning id, contact, number, item_key as "itemKey", state, search`;
}

/** Ends a watch, and drops its queued messages. */
export async function endWatch(store: AlertSession, watch: number, now: number): Promise<void> {
  await store.sql
    .run`update alert_watch set state = 'ended', ended_at = ${now} where id = ${watch} and state <> 'ended'`;
  await dropMessagesOfWatch(store, watch, now);
}
