import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from '../../lib/in-turn.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { expireLeases, undoClaims } from '../tables/messages.ts';
import { settleAttempt } from './attempt-outcome.ts';
import { claimNext } from './claim-message.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { outgoingCalls } from './outgoing-calls.ts';
import { leaseMs, type SendContext } from './send-context.ts';

/** Concurrent calls: enough for 80 a second if one in ten times out after eight seconds. */
const MAX_CALLS = 100;

/** Claims per turn. Calls begin after the turn, so a process killed before then leaves few unknown outcomes. */
const CLAIMS_PER_TURN = 4;

/** Polls the queue, because other processes add to it too. */
const POLL_EVERY_MS = 200;

const WAIT_AFTER_ERROR_MS = 1_000;

const POLL_CALLS_EVERY_MS = 20;

export type Dispatcher = ReturnType<typeof dispatcher>;

/** Sends one channel's queued messages. Lines for `log` contain no phone numbers or addresses. */
export function dispatcher(context: SendContext<AlertStore>, log: (line: string) => void) {
  const { store, provider } = context;
  /** Attempts whose commit the store has not confirmed. */
  const unconfirmed = new Set<number>();
  const stopping = new AbortController();
  const settle = outcomeWriter(
    (attempt, outcome) => settleAttempt(store, provider, attempt, outcome, context.now()),
    stopping.signal,
    log,
  );
  const calls = outgoingCalls(provider, settle, log);
  /** The last logged failure, so that a repeated one is not logged again. */
  let failure: string | null = null;
  let running: Promise<void> | null = null;

  /** Claims one batch at a time. */
  const turns = inTurn();

  async function sendDue(): Promise<number | null> {
    await undoClaims(store, unconfirmed, context.now());
    await expireLeases(store, context.now());
    for (let claims = 0; claims < CLAIMS_PER_TURN; claims += 1) {
      if (stopping.signal.aborted || calls.size >= (provider.maxCalls ?? MAX_CALLS) || calls.isUnanswered)
        return context.now() + POLL_EVERY_MS;
      const result = await claimNext(context, unconfirmed);
      if (result.kind === 'idle') return result.nextAt;
      calls.start(result.claim);
    }
    return context.now();
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let wait = POLL_EVERY_MS;
      try {
        const nextAt = await turns.run(sendDue);
        failure = null;
        if (nextAt !== null) wait = Math.min(wait, Math.max(5, nextAt - context.now()));
      } catch (error) {
        const line = `The outbox could not be read or written: ${String(error)}`;
        if (line !== failure) log(line);
        failure = line;
        wait = WAIT_AFTER_ERROR_MS;
      }
      await sleep(wait, null, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    /** Claims and sends some due messages; returns when to call it again, in milliseconds since 1970. */
    sendDue: () => turns.run(sendDue),
    /** Sends until nothing is due and no call is in progress. */
    async drain(): Promise<void> {
      for (;;) {
        const nextAt = await turns.run(sendDue);
        if (calls.size > 0) await calls.anySettled();
        else if (nextAt === null || nextAt > context.now()) return;
      }
    },
    run(): void {
      running ??= loop();
    },
    /** Resolves when no call to a person is running, in this process or another. */
    async endCallsTo(contact: number): Promise<void> {
      await calls.endCallsTo(contact);
      await otherCallsEnded(context, contact);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await calls.allSettled();
    },
  };
}

/** Waits until other processes' calls to a person end or their leases expire. Ignores the reply to a STOP. */
async function otherCallsEnded(context: SendContext, contact: number): Promise<void> {
  const { store, now } = context;
  for (let waited = 0; waited < leaseMs(context); waited += POLL_CALLS_EVERY_MS) {
    const begun = await store.sql.get`select 1 from alert_message where contact = ${contact}
      and state = 'sending' and lease_until > ${now()} and answers_stop = 0`;
    if (begun === undefined) return;
    await sleep(POLL_CALLS_EVERY_MS);
  }
}

/** Combines the dispatchers of all channels. A paused or unresponsive channel does not delay the others. */
export function allChannels(dispatchers: readonly Dispatcher[]): Dispatcher {
  return {
    async sendDue() {
      const times = (await mapInOrder(dispatchers, (one) => one.sendDue())).filter((at) => at !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
    async drain() {
      await Promise.all(dispatchers.map((one) => one.drain()));
    },
    run() {
      for (const one of dispatchers) one.run();
    },
    async endCallsTo(contact) {
      await Promise.all(dispatchers.map((one) => one.endCallsTo(contact)));
    },
    async stop() {
      await Promise.all(dispatchers.map((one) => one.stop()));
    },
  };
}
