import type pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { copyIn } from './copy-rows.ts';
import { isTransientFailure } from './failure.ts';
import { reconnectingClient } from './reconnecting-client.ts';
import type {
  SyncConnectionOptions,
  SyncFailure,
  SyncRequest,
  SyncResponse,
  SyncResult,
} from './sync-protocol.ts';

/** The server's side of a `SyncConnection`: one connection, opened when needed and reopened after a loss. */
export interface SyncSession {
  /** One request at a time. */
  respond(request: SyncRequest): Promise<SyncResponse>;
  end(): void;
}

const NOTHING: SyncResult = { kind: 'result', columns: [], rows: [], changes: 0 };

export function syncSession(options: SyncConnectionOptions): SyncSession {
  let isInTransaction = false;
  /** The connection of the open transaction was lost, and the transaction with it. */
  let isBroken = false;
  const connection = reconnectingClient(options, () => {
    if (isInTransaction) isBroken = true;
  });
  const statements = statementNames();

  async function resultOf(request: SyncRequest): Promise<SyncResult> {
    if (request.kind === 'end' && request.text === 'rollback') return rollBack();
    if (isBroken) throw new Error('Connection terminated in a transaction');
    if (request.kind === 'begin') return begin(request);
    const result = await runWithRetry(request);
    if (request.kind === 'end') isInTransaction = false;
    return result;
  }

  /** If any statement of the begin fails, no transaction is open afterwards. */
  async function begin(request: SyncRequest): Promise<SyncResult> {
    isInTransaction = true;
    try {
      return await runWithRetry(request);
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
      // A reading statement can be retried: the next connection goes to another server, if there is one.
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
      // After a failover the old server stays read-only for this connection; a new one can reach its successor.
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

function failureOf(error: unknown): SyncFailure {
  const code = errorCode(error);
  return {
    kind: 'failed',
    isTransient: isTransientFailure(error),
    code: typeof code === 'string' ? code : null,
    error,
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

/** A statement's name on the connection, under which the server keeps its plan. */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
