import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { batchesOf } from '../../lib/batches.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { AlertSession, AlertStore } from './alert-store.ts';
import {
  awaitConfirmation,
  deleteConfirmationRequest,
  recordConfirmationSent,
} from './confirmation-requests.ts';
import type { Channel } from './contacts.ts';
import { nextLogicalTime } from './logical-clock.ts';
import { type MessageKind, type MessageText, readText } from './message-text.ts';
import { type ToldPrice, tellSearch, untellSearch } from './search-watches.ts';

export {
  type MessageButton,
  type MessageKind,
  type MessageText,
  readText,
  type TemplateName,
} from './message-text.ts';

/**
 * The life of a message. Each state leads only to the listed ones, and only this file writes `alert_message`.
 * Every change is part of the caller's transaction, which has the alerts' lock.
 */
const LEADS_TO = {
  /** Waits until `due_at`. If an earlier attempt was refused, a status may still say that it arrived. */
  queued: ['sending', 'dropped', 'accepted', 'delivered', 'read'],
  /** An attempt is committed: one process calls the provider, at most until `lease_until`. */
  sending: ['queued', 'unknown', 'accepted', 'delivered', 'read', 'failed', 'dropped'],
  /** The call had no result, so it may have been sent. Only a status or an operator settles it. */
  unknown: ['queued', 'accepted', 'delivered', 'read', 'failed', 'dropped'],
  /** The provider will deliver it. It may still fail, and is then retried or given up. */
  accepted: ['queued', 'delivered', 'read', 'failed', 'dropped'],
  delivered: ['read'],
  read: [],
  /** Retrying does not help. An operator may send it again; a status may say that it arrived. */
  failed: ['queued', 'accepted', 'delivered', 'read', 'dropped'],
  /** Not sent: stopped, out of date, replaced or given up. */
  dropped: ['accepted', 'delivered', 'read'],
} as const satisfies Record<string, readonly string[]>;

export type MessageState = keyof typeof LEADS_TO;

/** In these states the person has the message, as far as is known. */
const ARRIVED: ReadonlySet<MessageState> = new Set(['accepted', 'delivered', 'read']);

interface Move {
  now: number;
  reason?: string | null;
  /** Null or omitted: keeps the time. */
  dueAt?: number | null;
}

/** Moves a message to a state; returns false, and changes nothing, if its own state does not lead there. */
export async function moveMessage(
  store: AlertSession,
  id: number,
  to: MessageState,
  { now, reason = null, dueAt = null }: Move,
): Promise<boolean> {
  const { sql } = store;
  const from = await sql.get<{
    state: MessageState;
    kind: MessageKind;
    contact: number;
    told: string | null;
  }>`
    select state, kind, contact, told from alert_message where id = ${id}`;
  if (from === undefined || !(LEADS_TO[from.state] as readonly string[]).includes(to)) return false;
  const settledAt = to === 'queued' || to === 'sending' ? null : now;
  await sql.run`update alert_message set state = ${to}, reason = ${reason}, due_at = coalesce(${dueAt}, due_at),
    settled_at = ${settledAt} where id = ${id}`;
  // A queued price alert is about all watches of the person, so the end of one must not drop it.
  if (to === 'queued' && from.kind === 'drop')
    await sql.run`update alert_message set watch = null where id = ${id}`;
  if (ARRIVED.has(to) && !ARRIVED.has(from.state)) {
    if (from.told !== null) await raiseWatermarks(store, from.told);
    if (from.kind === 'confirm') await recordConfirmationSent(store, from.contact, now);
  }
  if (ARRIVED.has(from.state) && !ARRIVED.has(to) && from.told !== null)
    await lowerWatermarks(store, from.told);
  if (to === 'queued' && from.told !== null) await untellSearches(store, from.told);
  if (from.kind === 'confirm' && (to === 'failed' || to === 'dropped'))
    await deleteConfirmationRequest(store, from.contact);
  return true;
}

// Into the queue.

/** Queues a message that is due now. */
export async function queueMessage(
  { sql }: AlertSession,
  message: {
    contact: number;
    watch: number | null;
    kind: Exclude<MessageKind, 'drop'>;
    body: MessageText;
    /** Whether this is the reply to a STOP, which a stopped person still gets. */
    answersStop?: boolean;
    now: number;
  },
): Promise<void> {
  const { contact } = message;
  const answersStop = message.answersStop === true ? 1 : 0;
  await sql.run`insert into alert_message (contact, watch, kind, channel, state, due_at, body, answers_stop, created_at)
    values (${contact}, ${message.watch}, ${message.kind}, (select channel from alert_contact where id = ${contact}),
      'queued', ${message.now}, ${JSON.stringify(message.body)}, ${answersStop}, ${message.now})`;
}

/** Queues people's price alerts, unless theirs is queued. Each is composed from all their watches when it is due. */
export async function queueDrops(tx: SqlSession, contacts: readonly number[], now: number): Promise<void> {
  if (contacts.length === 0) return;
  await tx
    .prepare(`insert into alert_message (contact, kind, channel, state, due_at, created_at)
      select id, 'drop', channel, 'queued', ?, ? from alert_contact where ${tx.anyOf('id')}
      on conflict (contact) where state = 'queued' and kind = 'drop' do nothing`)
    .run(now, now, contacts);
}

/** Delays a queued message, with the reason that operators see. */
export async function delayMessage(
  { sql }: AlertSession,
  id: number,
  until: number,
  reason: string | null = null,
): Promise<void> {
  await sql.run`update alert_message set due_at = ${until}, reason = ${reason} where id = ${id} and state = 'queued'`;
}

/** Makes the queued messages that were delayed for this reason due now. */
export async function releaseMessages(
  { sql }: AlertSession,
  kind: string,
  reason: string,
  now: number,
): Promise<void> {
  await sql.run`update alert_message set due_at = ${now}, reason = null
    where state = 'queued' and kind = ${kind} and reason = ${reason}`;
}

/** Makes a person's queued messages due now, ignoring quiet hours and the daily limit. */
export async function hurryMessages({ sql }: AlertSession, contact: number, now: number): Promise<void> {
  await sql.run`update alert_message set hurried = 1, due_at = ${now} where contact = ${contact} and state = 'queued'`;
}

/** Returns a message to the queue; drops a price alert if the person has a newer one, which says all. */
export async function requeueMessage(
  store: AlertSession,
  id: number,
  dueAt: number | null,
  now: number,
): Promise<void> {
  const newer = await store.sql.get`select 1 from alert_message as own join alert_message as other
      on other.contact = own.contact and other.kind = 'drop' and other.state = 'queued' and other.id <> own.id
    where own.id = ${id} and own.kind = 'drop'`;
  if (newer === undefined) await moveMessage(store, id, 'queued', { now, dueAt });
  else {
    await untellSearchesOf(store, id);
    await moveMessage(store, id, 'dropped', { now, reason: 'replaced by a newer alert' });
  }
}

/** Whether a message with this text is still to be sent to the person. */
export async function isQueued({ sql }: AlertSession, contact: number, body: MessageText): Promise<boolean> {
  const found = await sql.get`select 1 from alert_message
    where contact = ${contact} and state = 'queued' and body = ${JSON.stringify(body)}`;
  return found !== undefined;
}

/** Drops the queued messages to a person, except the reply to a STOP. */
export async function dropQueuedMessages(
  store: AlertSession,
  contact: number,
  reason: string,
  now: number,
): Promise<void> {
  const queued = await store.sql.all<{ id: number }>`select id from alert_message
    where contact = ${contact} and state = 'queued' and answers_stop = 0`;
  for (const { id } of queued) await moveMessage(store, id, 'dropped', { now, reason });
}

/** Drops the queued messages about a watch that has ended. */
export async function dropMessagesOfWatch(store: AlertSession, watch: number, now: number): Promise<void> {
  const queued = await store.sql.all<{ id: number }>`select id from alert_message
    where watch = ${watch} and state = 'queued'`;
  for (const { id } of queued) await moveMessage(store, id, 'dropped', { now, reason: 'the watch ended' });
}

// Attempts.

/** Attempts are numbered by logical time. The random part shows whether a claim was committed. */
const ATTEMPTS_A_MOMENT = 2 ** 20;

export interface NewAttempt {
  attempt: number;
  /** What the provider returns with statuses: it names the message and the attempt. */
  token: string;
}

/** Claims a queued message: commits an attempt, before the call. `told`: the packages that the body names. */
export async function claimMessage(
  store: AlertSession,
  id: number,
  claim: {
    body: MessageText;
    told: readonly Told[];
    category: string;
    leaseUntil: number;
    now: number;
  },
): Promise<NewAttempt> {
  const { sql } = store;
  const { now } = claim;
  const moment = await nextLogicalTime(sql);
  const attempt = moment * ATTEMPTS_A_MOMENT + randomInt(ATTEMPTS_A_MOMENT);
  const [first] = claim.told;
  const told = first === undefined ? null : JSON.stringify({ moment, packages: claim.told });
  await moveMessage(store, id, 'sending', { now });
  for (const { watch, search } of claim.told)
    if (search !== undefined) await tellSearch(store, watch, search);
  const known = (await sql.get<{ uid: string | null }>`select uid from alert_message where id = ${id}`)?.uid;
  const uid = known ?? randomUUID();
  const token = `${uid}.${attempt}`;
  await sql.run`update alert_message set attempt = ${attempt}, uid = ${uid}, token = ${token},
      tries = tries + 1, started_at = ${now}, lease_until = ${claim.leaseUntil}, message_key = null, refused = null,
      category = ${claim.category}, body = ${JSON.stringify(claim.body)}, told = ${told},
      watch = coalesce(${first?.watch ?? null}, watch)
    where id = ${id}`;
  return { attempt, token };
}

/** Undoes claims whose commit the store did not confirm. No calls were made for them. */
export async function undoClaims(store: AlertStore, attempts: Set<number>, now: number): Promise<void> {
  if (attempts.size === 0) return;
  await store.transact(async (tx) => {
    for (const attempt of attempts) {
      const id = await messageOfAttempt(tx, attempt);
      if (id === null) continue;
      await requeueMessage(tx, id, now, now);
      await tx.sql
        .run`update alert_message set attempt = null, started_at = null, tries = tries - 1 where id = ${id}`;
    }
  });
  attempts.clear();
}

/** The message whose latest attempt this is, or null. */
export async function messageOfAttempt({ sql }: AlertSession, attempt: number): Promise<number | null> {
  return (await sql.get<{ id: number }>`select id from alert_message where attempt = ${attempt}`)?.id ?? null;
}

/** Marks attempts with expired leases as unknown: their messages may have been sent. */
export async function expireLeases(store: AlertStore, now: number): Promise<void> {
  const expired = ({ sql }: AlertSession) =>
    sql.all<{
      id: number;
    }>`select id from alert_message where state = 'sending' and lease_until <= ${now}`;
  if ((await expired(store)).length === 0) return;
  await store.transact(async (tx) => {
    for (const { id } of await expired(tx))
      await moveMessage(tx, id, 'unknown', { now, reason: 'lease expired' });
  });
}

/** Records that the latest attempt was refused, by the call or by a status. */
export async function recordRefusal(
  { sql }: AlertSession,
  id: number,
  refused: 'rejected' | 'failed',
): Promise<void> {
  await sql.run`update alert_message set refused = ${refused} where id = ${id}`;
}

/** Counts a failure, and returns how many of its kind the message has had in a row. */
export async function countRetry({ sql }: AlertSession, id: number, kind: 'soon' | 'later'): Promise<number> {
  const counted = await sql.get`update alert_message set
      retries = case when retried_as = ${kind} then retries + 1 else 1 end, retried_as = ${kind}
    where id = ${id} returning retries`;
  return Number(counted?.retries);
}

/** Records the hash of the provider's message ID, by which statuses without a token find the message. */
export async function recordMessageId(
  { sql, keys }: AlertSession,
  id: number,
  messageId: string,
): Promise<void> {
  const key = keys.keyFor('message', messageId);
  await sql.run`update alert_message set message_key = ${key} where id = ${id} and message_key is null
    and not exists (select 1 from alert_message where message_key = ${key})`;
}

/** Records the price category that a status reports; returns the one assumed before, if it was another. */
export async function recordCategory(
  { sql }: AlertSession,
  id: number,
  category: string,
): Promise<string | null> {
  const before = (await sql.get`select category from alert_message where id = ${id}`)?.category;
  if (before === category) return null;
  await sql.run`update alert_message set category = ${category} where id = ${id}`;
  return String(before ?? '');
}

/** The category in which the provider billed the latest message of this kind; utility, as registered, if unknown. */
export async function expectedCategory({ sql }: AlertSession, kind: MessageKind): Promise<string> {
  const last = await sql.get<{ category: string }>`select category from alert_message
    where kind = ${kind} and category in ('utility', 'marketing') and attempt is not null
    order by attempt desc limit 1`;
  return last?.category ?? 'utility';
}

// Operators.

/** Few messages per transaction, so that a STOP never waits long. */
const BATCH = 200;

/** Requeues unknown and failed messages. Stops, ended watches and finished drops still apply. Returns how many. */
export async function sendAgain(
  store: AlertStore,
  messages: readonly number[],
  now: number,
): Promise<number> {
  return inBatches(store, messages, async (tx, id) => {
    const found = await tx.sql.get<{
      contact: number;
      kind: MessageKind;
    }>`select contact, kind from alert_message
      where id = ${id} and state in ('unknown', 'failed')`;
    if (found === undefined) return false;
    // A status that the old attempt was sent still counts, until the next attempt.
    await recordRefusal(tx, id, 'rejected');
    if (found.kind === 'confirm') await awaitConfirmation(tx, found.contact, now);
    await requeueMessage(tx, id, now, now);
    await tx.sql.run`update alert_message set created_at = ${now} where id = ${id} and state = 'queued'`;
    return true;
  });
}

/** Drops messages with an unknown outcome or a failure. Returns how many. */
export async function giveUp(store: AlertStore, messages: readonly number[], now: number): Promise<number> {
  return inBatches(store, messages, async (tx, id) => {
    const open = await tx.sql
      .get`select 1 from alert_message where id = ${id} and state in ('unknown', 'failed')`;
    const reason = 'given up by an operator';
    return open !== undefined && (await moveMessage(tx, id, 'dropped', { now, reason }));
  });
}

async function inBatches(
  store: AlertStore,
  ids: readonly number[],
  act: (tx: AlertSession, id: number) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (const batch of batchesOf(ids, BATCH)) {
    const acted = await store.transact((tx) => mapInOrder(batch, (id) => act(tx, id)));
    done += acted.filter(Boolean).length;
  }
  return done;
}

// Watermarks: `alert_told` has the logical time of the last alert about a package to a watch. A drop is
// measured from later prices only, so each alert needs a deeper drop.

export interface Told {
  watch: number;
  itemKey: string;
  /** For a watch of a search, which remembers a price instead of a time. */
  search?: ToldPrice | undefined;
}

const pence = v.nullable(v.number());

const toldPackages = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    moment: v.number(),
    packages: v.array(
      v.object({
        watch: v.number(),
        itemKey: v.string(),
        search: v.optional(v.object({ price: v.number(), before: pence, was: pence })),
      }),
    ),
  }),
);

async function raiseWatermarks({ sql }: AlertSession, told: string): Promise<void> {
  const { moment, packages } = v.parse(toldPackages, told);
  for (const { watch, itemKey } of packages.filter(({ search }) => search === undefined))
    await sql.run`insert into alert_told (watch, item_key, moment)
      select ${watch}, ${itemKey}, ${moment} where exists (select 1 from alert_watch where id = ${watch})
      on conflict (watch, item_key) do update set previous = alert_told.moment, moment = excluded.moment
      where alert_told.moment < excluded.moment`;
}

/** Restores the watermarks of an alert that failed after all, unless a later alert has raised them. */
async function lowerWatermarks({ sql }: AlertSession, told: string): Promise<void> {
  const { moment, packages } = v.parse(toldPackages, told);
  for (const { watch, itemKey } of packages) {
    await sql.run`delete from alert_told where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}
      and previous is null`;
    await sql.run`update alert_told set moment = previous, previous = null
      where watch = ${watch} and item_key = ${itemKey} and moment = ${moment}`;
  }
}

/** Makes the watches of searches that a message tells due again, because another message will name them. */
async function untellSearches(store: AlertSession, told: string): Promise<void> {
  for (const { watch, search } of v.parse(toldPackages, told).packages)
    if (search !== undefined) await untellSearch(store, watch, search);
}

async function untellSearchesOf(store: AlertSession, id: number): Promise<void> {
  const told = (await store.sql.get<{ told: string | null }>`select told from alert_message where id = ${id}`)
    ?.told;
  if (told) await untellSearches(store, told);
}

/** The package that a message to this person names first, or null. */
export async function toldFirst({ sql }: AlertSession, contact: number, id: number): Promise<Told | null> {
  const told = (
    await sql.get<{ told: string | null }>`select told from alert_message
    where id = ${id} and contact = ${contact}`
  )?.told;
  return told == null ? null : (v.parse(toldPackages, told).packages[0] ?? null);
}

// Reading.

export interface QueuedMessage {
  id: number;
  contact: number;
  watch: number | null;
  kind: MessageKind;
  channel: Channel;
  hurried: number;
  /** 1 for the reply to a STOP, which a stopped person still gets. */
  answers_stop: number;
  /** Null for a price alert, whose text is composed when it is sent. */
  body: MessageText | null;
  created_at: number;
}

/** The channel's next due message: the reply due longest, else the message due longest. Null if none is due. */
export async function firstDueMessage(
  store: AlertSession,
  channel: Channel,
  now: number,
  { onlyReplies }: { onlyReplies: boolean },
): Promise<QueuedMessage | null> {
  const found = await store.sql.get<Omit<QueuedMessage, 'body'> & { body: string | null }>`
    select id, contact, watch, kind, channel, hurried, answers_stop, body, created_at from alert_message
    where id = coalesce(
      (select id from alert_message where channel = ${channel} and state = 'queued' and kind = 'reply'
        and due_at <= ${now} order by due_at limit 1),
      (select id from alert_message where channel = ${channel} and state = 'queued' and ${onlyReplies ? 0 : 1} = 1
        and due_at <= ${now} order by due_at limit 1))`;
  return found === undefined ? null : { ...found, body: readText(found.body) };
}

/** When the next message is due, in milliseconds since 1970; null if the queue is empty. */
export async function nextDueTime({ sql }: AlertSession, channel: Channel): Promise<number | null> {
  const next = await sql.get<{ due: number | null }>`select min(due_at) as due from alert_message
    where channel = ${channel} and state = 'queued'`;
  return next?.due ?? null;
}

export async function nextReplyTime({ sql }: AlertSession, channel: Channel): Promise<number | null> {
  const next = await sql.get<{ due: number | null }>`select min(due_at) as due from alert_message
    where channel = ${channel} and state = 'queued' and kind = 'reply'`;
  return next?.due ?? null;
}
