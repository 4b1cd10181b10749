import { expect, it } from 'vitest';
import { isStoreUnavailable, OutcomeUnknown, StoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../in-transaction.ts';
import { postgresDatabase } from './database.ts';
import type { SyncRequest, SyncResult } from './sync-protocol.ts';

/** A database whose connection is lost by the first request that `isLost` accepts. */
function databaseLosing(isLost: (request: SyncRequest) => boolean) {
  const nothing: SyncResult = { kind: 'result', columns: [], rows: [], changes: 0 };
  const send = (request: SyncRequest) => {
    if (isLost(request)) throw new StoreUnavailable();
    return nothing;
  };
  return postgresDatabase({ send, start: (request) => () => send(request), close() {} });
}

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

it('does not know the outcome of a transaction whose commit gets no answer', () => {
  const database = databaseLosing(
    ({ kind, ...request }) => kind === 'end' && 'text' in request && request.text === 'commit',
  );
  const failure = failureOf(() => inTransaction(database, () => {}));
  expect(failure).toBeInstanceOf(OutcomeUnknown);
  expect(isStoreUnavailable(failure)).toBe(true);
});

it('knows that nothing was changed if the connection is lost before the commit', () => {
  const database = databaseLosing(({ kind }) => kind === 'script');
  const failure = failureOf(() => inTransaction(database, () => database.exec('select 1')));
  expect(failure).toBeInstanceOf(StoreUnavailable);
});
