import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../lib/error-message.ts';

const INTERVAL_MS = 250;

/** Reads the open transaction's id; null if the transaction has written nothing. */
export const TRANSACTION_NUMBER = {
  text: 'select cast(pg_current_xact_id_if_assigned() as text)',
  rowMode: 'array' as const,
};

/** Null on a replica, because it may not have replayed the commit yet. */
const OUTCOME = 'select case when not pg_is_in_recovery() then pg_xact_status(cast($1 as xid8)) end';

/** The server does not know the number, because a crash or failover has lost the transaction. */
const UNKNOWN_NUMBER = '22023';

/** Asks the server for a transaction's outcome until it is known, or for `wait` milliseconds. */
export async function commitOutcome(
  ask: (text: string, values: string[]) => Promise<unknown[][]>,
  number: string,
  wait: number,
): Promise<'committed' | 'aborted' | 'unknown'> {
  const end = performance.now() + wait;
  for (;;) {
    try {
      const outcome = (await ask(OUTCOME, [number]))[0]?.[0];
      if (outcome === 'committed' || outcome === 'aborted') return outcome;
    } catch (error) {
      if (errorCode(error) === UNKNOWN_NUMBER) return 'aborted';
    }
    if (performance.now() >= end) return 'unknown';
    await sleep(INTERVAL_MS);
  }
}
