import type pg from 'pg';
import { errorCode, errorMessage } from '../../../lib/error-message.ts';
import { isStoreUnavailable } from '../../../lib/store-unavailable.ts';
import { HAS_CITUS } from '../../citus/settings.ts';
import { isTransientFailure } from '../failure.ts';
import { commitOutcome, TRANSACTION_NUMBER } from './commit-outcome.ts';
import { copyIn } from './copy-rows.ts';
import type {
  SyncConnectionOptions,
  SyncFailure,
  SyncRequest,
  SyncResponse,
  SyncResult,
  SyncTask,
} from './protocol.ts';
import { reconnectingClient } from './reconnecting-client.ts';

/** The worker's part of a `SyncConnection`. It connects when needed, and reconnects after a loss. */
export interface SyncSession {
  respond(request: SyncRequest): Promise<SyncResponse>;
  end(): void;
}

const NOTHING: SyncResult = { kind: 'result', columns: [], rows: [], changes: 0 };

export function syncSession(options: SyncConnectionOptions): SyncSession {
  let isInTransaction = false;
  /** Whether the open transaction was lost with its connection. */
  let isBroken = false;
  const connection = reconnectingClient(options, () => {
    if (isInTransaction) isBroken = true;
  });
  const statements = statementNames();

  async function resultOf(request: SyncRequest): Promise<SyncResult> {
    if (request.kind === 'end' && request.text === 'rollback') return rollBack();
    if (isBroken) throw new Error('Connection terminated in a transaction');
    if (request.kind === 'begin') return begin(request);
    if (request.kind === 'end') return commit(request);
    return runWithRetry(request);
  }

  /** Commits. If no response comes, looks up the outcome by the transaction's number. */
  async function commit(request: SyncRequest): Promise<SyncResult> {
    const number = options.outcomeWait === 0 ? null : (await run(TRANSACTION_NUMBER)).rows[0]?.[0];
    try {
      return await run(request);
    } catch (error) {
      if (typeof number !== 'string') throw error;
      return await afterFailedCommit(number, error);
    } finally {
      // The transaction is over, whatever its outcome.
      isInTransaction = false;
      isBroken = false;
    }
  }

  async function afterFailedCommit(number: string, error: unknown): Promise<SyncResult> {
    // The look-up of the outcome runs outside a transaction.
    isInTransaction = false;
    switch (await commitOutcome(run, number, options.outcomeWait)) {
      case 'committed':
        return NOTHING;
      case 'aborted':
        throw error;
      case 'unknown':
        throw new UnansweredCommit(error);
    }
  }

  /** Begins a transaction. If one of the statements fails, no transaction stays open. */
  async function begin(request: SyncRequest): Promise<SyncResult> {
    isInTransaction = true;
    try {
      return await run(request);
    } catch (error) {
      await rollBack().catch(() => {});
      throw error;
    }
  }

  async function rollBack(): Promise<SyncResult> {
    const wasOpen = isInTransaction && !isBroken;
    isInTransaction = false;
    isBroken = false;
    return wasOpen ? run({ kind: 'end', text: 'rollback' }) : NOTHING;
  }

  async function runWithRetry(request: SyncRequest): Promise<SyncResult> {
    try {
      return await run(request);
    } catch (error) {
      // A read can be retried: the next connection goes to another server, if there is one.
      if (!options.isReadOnly || isInTransaction || !isTransientFailure(error)) throw error;
      connection.disconnect();
      return run(request);
    }
  }

  async function run(request: SyncRequest): Promise<SyncResult> {
    let client: pg.Client;
    try {
      client = await connection.connect();
    } catch (error) {
      if (isInTransaction) isBroken = true;
      throw error;
    }
    const stopProbing = connection.probeWhileWaiting(client);
    try {
      return await execute(client, request, statements);
    } catch (error) {
      // After a failover, the old server stays read-only on this connection. A new one can reach its
      // successor.
      if (isTransientFailure(error) && !isInTransaction) connection.disconnect();
      throw error;
    } finally {
      stopProbing();
    }
  }

  return {
    async respond(request) {
      try {
        return await resultOf(request);
      } catch (error) {
        return failureOf(error);
      }
    },
    end: connection.disconnect,
  };
}

/** A commit whose outcome is unknown. */
class UnansweredCommit extends Error {
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('The commit got no response');
    this.failure = failure;
  }
}

function failureOf(thrown: unknown): SyncFailure {
  const isOutcomeUnknown = thrown instanceof UnansweredCommit;
  const error = isOutcomeUnknown ? thrown.failure : thrown;
  const code = errorCode(error);
  return {
    kind: 'failed',
    isTransient: isTransientFailure(error) || isStoreUnavailable(error),
    isOutcomeUnknown,
    code: typeof code === 'string' ? code : null,
    message: errorMessage(error),
  };
}

async function execute(
  client: pg.Client,
  request: SyncRequest,
  nameOf: (text: string) => string,
): Promise<SyncResult> {
  if (request.kind === 'copy') {
    await copyIn(client, request.text, request.data);
    return NOTHING;
  }
  if (request.kind === 'task') {
    await runTask(client, request.task);
    return NOTHING;
  }
  if (request.kind !== 'statement') {
    await client.query(request.text);
    return NOTHING;
  }
  const { text, values, isKept } = request;
  const result = await client.query<unknown[]>({
    text,
    values: [...values],
    rowMode: 'array',
    ...(isKept ? { name: nameOf(text) } : {}),
  });
  return {
    kind: 'result',
    columns: result.fields.map(({ name }) => name),
    rows: result.rows as SyncResult['rows'],
    changes: result.rowCount ?? 0,
  };
}

/** Loads the code for Citus only if the database has Citus. */
async function runTask(client: pg.Client, task: SyncTask): Promise<void> {
  const found = await client.query(HAS_CITUS);
  if (found.rows.length === 0) return;
  const { distributeNewTables, waitForCommits } = await import('../../citus/tasks.ts');
  await (task === 'wait for commits' ? waitForCommits(client) : distributeNewTables(client));
}

/** Names statements on the connection. The server keeps a plan under each name. */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
