import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { OutgoingMessage } from '../providers/message-provider.ts';
import { forgetAsking } from '../records/confirmation-requests.ts';
import { type MessageText, messageText } from '../records/message-text.ts';
import { openNumber, personById } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';
import { composeDrop, tell } from './drop-message.ts';
import { leaseMs, type SendContext } from './send-context.ts';
import { earliestSend, earliestTo } from './sending-limits.ts';

/** A message whose attempt is committed: its call is to be made now, and nobody else makes it. */
export interface Claim {
  attempt: number;
  person: number;
  message: OutgoingMessage;
}

export type ClaimResult = { kind: 'claimed'; claim: Claim } | { kind: 'idle'; nextAt: number | null };

/** What a message that waits is; `body` is null until a drop's words are known. */
const queuedMessage = v.object({
  id: v.number(),
  person: v.number(),
  watch: v.nullable(v.number()),
  kind: v.picklist(['confirm', 'welcome', 'drop', 'reply']),
  form: v.picklist(['template', 'text']),
  hurried: v.number(),
  body: v.nullable(v.pipe(v.string(), v.parseJson(), messageText)),
  created_at: v.number(),
});

export type QueuedMessage = v.InferOutput<typeof queuedMessage>;

/** What comes of looking at a message that is due. `told` are the packages whose drops it tells. */
export type Readiness =
  | { kind: 'ready'; body: MessageText; told: readonly string[] }
  | { kind: 'wait'; until: number }
  | { kind: 'drop'; reason: string };

const AN_HOUR_MS = 60 * 60 * 1000;

/** An answer or a question that comes this late would only puzzle. */
const LATEST = { confirm: 24 * AN_HOUR_MS, welcome: 24 * AN_HOUR_MS, reply: AN_HOUR_MS } as const;

/** Messages looked at in one transaction. */
const LOOKS = 50;

/**
 * Takes the next message that may be sent: looks at everything that could forbid it, and commits the attempt.
 * The claim is the attempt: its lease says until when an answer can come, its number is the fence that keeps
 * an older attempt's news from the message. Whatever commits first, a stop or the attempt, the other sees it.
 * Where the commit was not answered the claim may stand although this throws: its token is in `uncalled` then.
 */
export function claimNext(context: SendContext, uncalled: Set<string> = new Set()): ClaimResult {
  const { store } = context;
  // Asked without a lock first: mostly nothing is due.
  const due = nextDue(context);
  if (due === null || due > context.now()) return { kind: 'idle', nextAt: due };
  const token = randomUUID();
  uncalled.add(token);
  const result = store.transact((): ClaimResult => {
    // Only here: the lock may have been waited for, and a lease that counted that would end before its call.
    const now = context.now();
    for (let look = 0; look < LOOKS; look += 1) {
      const earliest = earliestSend(context, now);
      if (earliest > now) return { kind: 'idle', nextAt: earliest };
      const message = firstDue(context, now);
      if (message === null) return { kind: 'idle', nextAt: nextDue(context) };
      const claim = claimOrPutOff(context, message, token, now);
      if (claim !== null) return { kind: 'claimed', claim };
    }
    return { kind: 'idle', nextAt: now };
  });
  uncalled.delete(token);
  return result;
}

function claimOrPutOff(
  context: SendContext,
  message: QueuedMessage,
  token: string,
  now: number,
): Claim | null {
  const { sql } = context.store;
  const readiness = readinessOf(context, message, now);
  switch (readiness.kind) {
    case 'ready':
      return begin(context, message, readiness, token, now);
    case 'wait':
      sql.run`update alert_message set due_at = ${readiness.until} where id = ${message.id}`;
      return null;
    case 'drop':
      sql.run`update alert_message set state = 'dropped', reason = ${readiness.reason}, settled_at = ${now}
        where id = ${message.id}`;
      if (message.kind === 'confirm') forgetAsking(context.store, message.person);
      return null;
  }
}

function readinessOf(context: SendContext, message: QueuedMessage, now: number): Readiness {
  const { store } = context;
  const person = personById(store, message.person);
  if (person === null || isSuppressed(store, person)) return { kind: 'drop', reason: 'stopped' };
  const earliest = earliestTo(context, message.person, now);
  if (earliest > now) return { kind: 'wait', until: earliest };
  if (message.kind === 'drop') return composeDrop(context, message, now);
  if (now - message.created_at > LATEST[message.kind]) return { kind: 'drop', reason: 'too late' };
  if (message.body === null) return { kind: 'drop', reason: 'nothing to say' };
  return { kind: 'ready', body: message.body, told: [] };
}

function begin(
  context: SendContext,
  message: QueuedMessage,
  { body, told }: Extract<Readiness, { kind: 'ready' }>,
  token: string,
  now: number,
): Claim {
  const { store } = context;
  const { sql } = store;
  const inserted = sql.get`insert into alert_attempt
    (message, person, token, state, started_at, lease_until)
    values (${message.id}, ${message.person}, ${token}, 'begun', ${now}, ${now + leaseMs(context)}) returning id`;
  const attempt = Number(inserted?.id);
  const kept = told.length === 0 || message.watch === null ? null : tell(store, message.watch, told);
  sql.run`update alert_message set state = 'sending', attempt = ${attempt}, tries = tries + 1, told = ${kept},
    body = ${JSON.stringify(body)}, reason = null where id = ${message.id}`;
  return {
    attempt,
    person: message.person,
    message: { token, number: openNumber(store, message.person), form: message.form, body },
  };
}

function firstDue({ store }: SendContext, now: number): QueuedMessage | null {
  const found = store.sql
    .get`select id, person, watch, kind, form, hurried, body, created_at from alert_message
    where state = 'queued' and due_at <= ${now} order by due_at limit 1`;
  return found === undefined ? null : v.parse(queuedMessage, found);
}

function nextDue({ store }: SendContext): number | null {
  const due = store.sql.get`select min(due_at) as due from alert_message where state = 'queued'`?.due;
  return typeof due === 'number' ? due : null;
}
