import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../lib/error-message.ts';
import type { SyncRequest, SyncResult } from './protocol.ts';

/** Between two questions, in milliseconds. */
const INTERVAL = 250;

/**
 * Asks an open transaction for its number, which is null if it has written nothing. Of a crashed server it is valid as
 * far as the log of the transaction had reached the disk, which takes it a fraction of a second.
 */
export const TRANSACTION_NUMBER: SyncRequest = {
  kind: 'statement',
  text: 'select cast(pg_current_xact_id_if_assigned() as text)',
  values: [],
  isKept: true,
};

/** A replica may not know yet what its primary has committed. */
const OUTCOME = 'select case when not pg_is_in_recovery() then pg_xact_status(cast($1 as xid8)) end';

/** The server has given out no such number: it has lost the transaction in a crash, or its replica never had it. */
const UNKNOWN_NUMBER = '22023';

/**
 * Asks the server for the outcome of a transaction until it is over, for at most `wait` milliseconds: the server may
 * have to return first, or to notice that its client is gone.
 */
export async function commitOutcome(
  run: (request: SyncRequest) => Promise<SyncResult>,
  number: string,
  wait: number,
): Promise<'committed' | 'aborted' | 'unknown'> {
  const end = performance.now() + wait;
  for (;;) {
    try {
      const asked = await run({ kind: 'statement', text: OUTCOME, values: [number], isKept: false });
      const outcome = asked.rows[0]?.[0];
      if (outcome === 'committed' || outcome === 'aborted') return outcome;
    } catch (error) {
      if (errorCode(error) === UNKNOWN_NUMBER) return 'aborted';
    }
    if (performance.now() >= end) return 'unknown';
    await sleep(INTERVAL);
  }
}
