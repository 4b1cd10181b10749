import { setTimeout as sleep } from 'node:timers/promises';
import { claimNext } from './claim-message.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { outgoingCalls } from './outgoing-calls.ts';
import { requeueUnconfirmedClaims } from './requeue.ts';
import { leaseMs, type SendContext } from './send-context.ts';
import { expireLeases, settleAttempt } from './settle-attempt.ts';
import { unknownAsker } from './unknown-outcomes.ts';

/** Concurrent calls: enough for 80 a second if one in ten times out after eight seconds. */
const MAX_CALLS = 100;

/**
 * Claims in one turn of the event loop. Calls leave at the end of the turn, so a process that is killed before then
 * leaves at most this many messages with an unknown outcome.
 */
const CLAIMS_PER_TURN = 4;

/** How often the queue is polled, because other processes add to it too, in milliseconds. */
const POLL_EVERY_MS = 200;

/** How long to wait after the store has failed, in milliseconds. */
const WAIT_AFTER_ERROR_MS = 1_000;

/** How often another process's calls are polled, in milliseconds. */
const POLL_CALLS_EVERY_MS = 20;

export interface Dispatcher {
  /** Claims and sends some due messages; returns when to call it again, in milliseconds since 1970. */
  sendDue(): number | null;
  /** Sends until nothing is due and no call is in progress. */
  drain(): Promise<void>;
  /** Sends whatever is due, until `stop`. */
  run(): void;
  /** Resolves when no call to a person is in progress, in this process or another. */
  endCallsTo(person: number): Promise<void>;
  /** Stops claiming, and waits for the calls in progress. */
  stop(): Promise<void>;
}

/** Sends one channel's messages of the outbox: claim, compose, call, settle. `log` gets errors, without addresses. */
export function dispatcher(context: SendContext, log: (line: string) => void): Dispatcher {
  const { store, provider } = context;
  /** Tokens of claims whose commit the store has not confirmed. */
  const unconfirmed = new Set<string>();
  const stopping = new AbortController();
  const settle = outcomeWriter(
    (attempt, outcome) => settleAttempt(store, provider, attempt, outcome, context.now()),
    stopping.signal,
    log,
  );
  const calls = outgoingCalls(provider, settle, log);
  const asker = unknownAsker(context, log);
  /** Failures repeat while an import holds the lock: each has one line in the log. */
  let failure: string | null = null;
  let running: Promise<void> | null = null;

  function sendDue(): number | null {
    requeueUnconfirmedClaims(store, unconfirmed, context.now());
    expireLeases(store, context.now());
    asker.askDue();
    for (let claims = 0; claims < CLAIMS_PER_TURN; claims += 1) {
      if (stopping.signal.aborted || calls.size >= (provider.maxCalls ?? MAX_CALLS) || calls.isUnanswered)
        return context.now() + POLL_EVERY_MS;
      const result = claimNext(context, unconfirmed);
      if (result.kind === 'idle') return result.nextAt;
      calls.start(result.claim);
    }
    return context.now();
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let wait = POLL_EVERY_MS;
      try {
        const nextAt = sendDue();
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
    sendDue,
    async drain() {
      for (;;) {
        sendDue();
        if (calls.size === 0 && asker.asking === null) return;
        await (calls.size === 0 ? asker.asking : calls.anySettled());
      }
    },
    run() {
      running ??= loop();
    },
    async endCallsTo(person) {
      await calls.endCallsTo(person);
      await otherCallsEnded(context, person);
    },
    async stop() {
      stopping.abort();
      await running;
      await calls.allSettled();
      await asker.stop();
    },
  };
}

/**
 * Waits for calls of other processes to a person: for their outcome, or until their lease has expired. The answer to the
 * STOP itself does not count.
 */
async function otherCallsEnded(context: SendContext, person: number): Promise<void> {
  const { store, now } = context;
  for (let waited = 0; waited < leaseMs(context); waited += POLL_CALLS_EVERY_MS) {
    const begun = store.sql.get`select 1 from alert_attempt
      where person = ${person} and state = 'begun' and lease_until > ${now()}
        and message not in (select id from alert_message where person = ${person} and answers_stop = 1)`;
    if (begun === undefined) return;
    await sleep(POLL_CALLS_EVERY_MS);
  }
}

/**
 * The dispatchers of all channels as one. They share the outbox and nothing else: a channel that is paused or silent
 * delays no other.
 */
export function allChannels(dispatchers: readonly Dispatcher[]): Dispatcher {
  return {
    sendDue() {
      const times = dispatchers.map((one) => one.sendDue()).filter((at) => at !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
    async drain() {
      await Promise.all(dispatchers.map((one) => one.drain()));
    },
    run() {
      for (const one of dispatchers) one.run();
    },
    async endCallsTo(person) {
      await Promise.all(dispatchers.map((one) => one.endCallsTo(person)));
    },
    async stop() {
      await Promise.all(dispatchers.map((one) => one.stop()));
    },
  };
}
