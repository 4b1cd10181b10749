import { errorMessage } from '../../lib/error-message.ts';
import type { MessageProvider, SendOutcome } from '../providers/message-provider.ts';
import type { Claim } from './claim-message.ts';

/** A call to a person who sends STOP is aborted after this time. */
const ABORT_AFTER_MS = 2_000;

/** How many calls may start while the provider does not respond. Limits how many outcomes become unknown. */
const MAX_UNANSWERED = 10;

interface Call {
  contact: number;
  controller: AbortController;
  /** Resolves when the call has ended, whatever its outcome. */
  ended: Promise<unknown>;
  settled: Promise<void>;
}

/** This process's running calls to the provider. `settle` records the outcome of a call. */
export function outgoingCalls(
  provider: MessageProvider,
  settle: (attempt: number, outcome: SendOutcome) => Promise<void>,
  log: (line: string) => void,
) {
  const calls = new Set<Call>();
  let unanswered = 0;

  async function settleWhenDone(claim: Claim, pending: Promise<SendOutcome>): Promise<void> {
    const outcome = await pending.catch((error: unknown): SendOutcome => {
      log(`Internal error in a provider call: ${errorMessage(error)}`);
      return { kind: 'unknown', why: 'internal error' };
    });
    if (outcome.kind !== 'unknown') unanswered = 0;
    await settle(claim.attempt, outcome);
  }

  return {
    get size() {
      return calls.size;
    },
    /** Whether too many calls are without a response, so that no other may start. */
    get isUnanswered() {
      return calls.size > 0 && unanswered >= MAX_UNANSWERED;
    },
    /** Starts the call synchronously, so that nothing runs between the claim's commit and the call. */
    start(claim: Claim): void {
      const controller = new AbortController();
      if (calls.size === 0) unanswered = 0;
      unanswered += 1;
      const outcome = provider.send(claim.message, controller.signal);
      const call: Call = {
        contact: claim.contact,
        controller,
        ended: outcome.catch(() => {}),
        settled: settleWhenDone(claim, outcome).finally(() => calls.delete(call)),
      };
      calls.add(call);
    },
    async anySettled(): Promise<void> {
      await Promise.race([...calls].map(({ settled }) => settled));
    },
    async allSettled(): Promise<void> {
      await Promise.all([...calls].map(({ settled }) => settled));
    },
    /** Resolves when no call to a person is running. Aborts calls that take too long. */
    async endCallsTo(contact: number): Promise<void> {
      const own = [...calls].filter((call) => call.contact === contact);
      const aborting = setTimeout(() => {
        for (const { controller } of own) controller.abort();
      }, ABORT_AFTER_MS);
      await Promise.all(own.map(({ ended }) => ended));
      clearTimeout(aborting);
    },
  };
}
