import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';
import { type Claim, claimNext } from './claim-message.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { takeBackUncalled } from './requeue.ts';
import { leaseMs, type SendContext } from './send-context.ts';
import { giveUpLeases, settleAttempt } from './settle-attempt.ts';

/** Calls under way at once: enough for 80 a second where one in ten is only given up after eight. */
const MOST_CALLS = 100;

/**
 * Claims in one turn. A call goes out at the turn's end: a process that is killed before it leaves as many messages
 * of which nobody knows whether they were sent.
 */
const CLAIMS_A_TURN = 4;

/** Between two looks at the queue, which other processes fill too, in milliseconds. */
const LOOK_EVERY_MS = 200;

/** A call to somebody who has just stopped is left this long to end by itself. */
const PATIENCE_MS = 2_000;

/** Between two looks at another process's calls, in milliseconds. */
const LOOK_AGAIN_MS = 20;

export interface Dispatcher {
  /** Claims and sends some of what may be sent now; gives when to look again, in milliseconds since 1970. */
  step(): number | null;
  /** Steps until nothing can be sent now and no call is under way. */
  drain(): Promise<void>;
  /** Sends whenever something is due, until `stop`. */
  run(): void;
  /** Ends when no call to a person is under way any more, here or in another process. */
  quiet(person: number): Promise<void>;
  /** Claims nothing more, and waits for the calls under way. */
  stop(): Promise<void>;
}

interface Call {
  person: number;
  controller: AbortController;
  /** The call is over, whatever came of it. */
  over: Promise<unknown>;
  /** Its outcome is written down. */
  done: Promise<void>;
}

/** Sends what waits in the outbox. `log` hears of what goes wrong, never with a number in it. */
export function dispatcher(context: SendContext, log: (line: string) => void): Dispatcher {
  const { store, provider } = context;
  const calls = new Set<Call>();
  /** Tokens of claims of which the store did not say whether they stand. */
  const uncalled = new Set<string>();
  const stopping = new AbortController();
  const writeOutcome = outcomeWriter(
    (attempt, outcome) => settleAttempt(store, provider.name, attempt, outcome, context.now()),
    stopping.signal,
    log,
  );
  let running: Promise<void> | null = null;

  function step(): number | null {
    takeBackUncalled(store, uncalled, context.now());
    giveUpLeases(store, context.now());
    for (let claims = 0; claims < CLAIMS_A_TURN; claims += 1) {
      if (stopping.signal.aborted || calls.size >= MOST_CALLS) return context.now() + LOOK_EVERY_MS;
      const result = claimNext(context, uncalled);
      if (result.kind === 'idle') return result.nextAt;
      begin(result.claim);
    }
    return context.now();
  }

  /** The call is handed over in this very turn: nothing of ours can happen between the commit and it. */
  function begin(claim: Claim): void {
    const controller = new AbortController();
    const outcome = provider.send(claim.message, controller.signal);
    const call: Call = {
      person: claim.person,
      controller,
      over: outcome.catch(() => {}),
      done: settle(claim, outcome).finally(() => calls.delete(call)),
    };
    calls.add(call);
  }

  async function settle(claim: Claim, pending: Promise<SendOutcome>): Promise<void> {
    const outcome = await pending.catch((error: unknown): SendOutcome => {
      log(`A provider call failed in our own code: ${errorMessage(error)}`);
      return { kind: 'unknown', why: 'our own code failed' };
    });
    await writeOutcome(claim.attempt, outcome);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let wait = LOOK_EVERY_MS;
      try {
        const nextAt = step();
        if (nextAt !== null) wait = Math.min(wait, Math.max(5, nextAt - context.now()));
      } catch (error) {
        log(`The outbox could not be read or written: ${String(error)}`);
        wait = 1_000;
      }
      await sleep(wait, null, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    step,
    async drain() {
      for (;;) {
        step();
        if (calls.size === 0) return;
        await Promise.race([...calls].map(({ done }) => done));
      }
    },
    run() {
      running ??= loop();
    },
    async quiet(person) {
      const own = [...calls].filter((call) => call.person === person);
      const ended = Promise.all(own.map(({ over }) => over));
      const impatience = new AbortController();
      await Promise.race([ended, sleep(PATIENCE_MS, null, { signal: impatience.signal }).catch(() => {})]);
      impatience.abort();
      for (const { controller } of own) controller.abort();
      await ended;
      await noneBegun(context, person);
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all([...calls].map(({ done }) => done));
    },
  };
}

/** Waits for the calls that other processes have begun: for their outcome, or until their lease must be over. */
async function noneBegun(context: SendContext, person: number): Promise<void> {
  const { store, now } = context;
  for (let waited = 0; waited < leaseMs(context); waited += LOOK_AGAIN_MS) {
    const begun = store.sql.get`select 1 from alert_attempt
      where person = ${person} and state = 'begun' and lease_until > ${now()}`;
    if (begun === undefined) return;
    await sleep(LOOK_AGAIN_MS);
  }
}
