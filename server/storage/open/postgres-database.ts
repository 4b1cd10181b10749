import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { deadlineIn } from '../../lib/deadline.ts';
import { errorCode } from '../../lib/error-message.ts';
import { inTurn } from '../../lib/in-turn.ts';
import { isStoreUnavailable, OutcomeUnknown, StoreUnavailable } from '../../lib/store-unavailable.ts';
import { HAS_CITUS } from '../citus/settings.ts';
import { requireUsable } from '../postgres/check-server.ts';
import { numbered, openClient, openPool, type ServerSettings } from '../postgres/client.ts';
import { commitOutcome, TRANSACTION_NUMBER } from '../postgres/commit-outcome.ts';
import { copyText } from '../postgres/copy-text.ts';
import { isPoolFull, isTransientFailure } from '../postgres/failure.ts';
import { acceptsConnections, hangOf, markHanging } from '../postgres/hanging-servers.ts';
import { lockNumbers, takeLock } from '../postgres/locks.ts';
import { POOLED_BY_TRANSACTION, requireSessions } from '../postgres/require-sessions.ts';
import { runStatement } from '../postgres/statements.ts';
import { asUnusable } from '../postgres/unusable-server.ts';
import type {
  SqlDatabase,
  SqlInput,
  SqlRow,
  SqlSession,
  SqlStatement,
  SqlTransaction,
  SqlValue,
} from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { isStoreLocked } from '../store-locked.ts';
import { TRANSACTION_ENDED, transactionBlocks } from '../transaction-blocks.ts';
import { unreachableDays } from '../unreachable-days.ts';

export interface PostgresOptions {
  /** Tried in order until one responds. The last is the primary. */
  urls: readonly string[];
  settings: ServerSettings;
  isReadOnly: boolean;
  /** How long to wait for a free connection, and for the outcome of a commit without a response, in milliseconds. */
  connectionWait: number;
  outcomeWait: number;
}

type CitusTasks = typeof import('../citus/tasks.ts');

/** Connections of one open store: for its transaction, and for statements beside it. */
const MAX_CONNECTIONS = 4;

/** Rows per fetch of a cursor. */
const FETCH_SIZE = 5_000;

/** How long a cursor may be idle, as while a feed is sorted. It holds no lock that others wait for. */
const CURSOR_IDLE_TIMEOUT_MS = 6 * 60 * 60 * 1_000;

const BEGIN_CURSOR = `begin read only; set local idle_in_transaction_session_timeout = ${CURSOR_IDLE_TIMEOUT_MS}`;

/** A server that takes this long to refuse a connection hangs. */
const HANGS_AFTER_MS = 1_000;

const PROBE_INTERVAL_MS = 2_000;

/** A connection that is in use. */
interface Held {
  client: pg.PoolClient;
  /** Returns it to the pool, or closes it after a failure that another connection may not meet. */
  release(error?: unknown): void;
}

/** Runs a statement on a connection. */
type Execute = <T>(statement: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

export interface PostgresDatabase extends SqlDatabase {
  /** Throws behind a pooler in transaction mode. */
  requireSessions(): Promise<void>;
}

/** A `SqlDatabase` over connections to the first server that responds. For `shared`, see `PostgresAddress`. */
export function postgresDatabase(
  { urls, settings, isReadOnly, connectionWait, outcomeWait }: PostgresOptions,
  shared?: SharedArrayBuffer,
): PostgresDatabase {
  const unreachable = shared === undefined ? null : unreachableDays(shared);
  const primary = urls.at(-1) ?? '';
  const check = (url: string) => (client: pg.ClientBase) =>
    requireUsable(client, {
      url,
      // The primary's schema is checked, and upgraded, by those who open the store.
      ...(url === primary
        ? { replicaOf: null, isUpgraded: true }
        : { replicaOf: primary, isUpgraded: false }),
    });
  /** In the order in which they are tried. A server that fails moves to the end. */
  let servers = urls.map((url) => {
    const pool = openPool(url, settings, { max: MAX_CONNECTIONS, allowExitOnIdle: true }, check(url));
    return { url, pool };
  });
  const turns = inTurn();
  const blocks = transactionBlocks();
  const inUse = new Set<Held>();
  /** Names cursors. */
  let cursors = 0;
  /** Holds the locks that last until the store is closed. */
  let sessionClient: Promise<pg.Client> | null = null;

  /** A connection of the pool, once one is free. */
  async function freeClient(pool: pg.Pool): Promise<pg.PoolClient> {
    const deadline = deadlineIn(connectionWait);
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isPoolFull(error) || pool.idleCount === pool.totalCount || deadline.hasPassed) throw error;
      }
    }
  }

  async function connect(): Promise<Held> {
    let failure: unknown = new Error('There is no address to connect to');
    for (const server of servers) {
      const since = performance.now();
      try {
        if (hangOf(server.url) !== undefined) throw hangOf(server.url);
        const client = await freeClient(server.pool);
        const stopProbing = probeEvery(PROBE_INTERVAL_MS, async () => {
          // Responses of a server that accepts no connections would never come.
          if (await acceptsConnections(server.url)) return;
          markHanging(server.url, new Error('Connection terminated: the server hangs'));
          server.pool.dropAll();
        });
        const one: Held = {
          client,
          release(error) {
            if (!inUse.delete(one)) return;
            stopProbing();
            client.release(error !== undefined && isTransientFailure(error));
          },
        };
        inUse.add(one);
        return one;
      } catch (error) {
        failure = asUnusable(error, server.url);
        if (!isPoolFull(error) && performance.now() - since >= HANGS_AFTER_MS)
          markHanging(server.url, failure);
        servers = [...servers.filter((other) => other !== server), server];
      }
    }
    throw failure;
  }

  /** Runs a statement on a connection of its own. */
  async function alone<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    blocks.requireOutside();
    const once = async () => {
      const { client, release } = await connect();
      let failure: unknown;
      try {
        return await work(client);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        release(failure);
      }
    };
    return (isReadOnly ? twice(once) : once()).catch(rethrown);
  }

  async function transaction<T>(
    begin: string,
    end: (client: pg.PoolClient) => Promise<unknown>,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    const { client, release } = await connect().catch(rethrown);
    // One statement at a time, whatever runs in parallel.
    const statements = inTurn();
    let hasEnded = false;
    const within: Execute = async (statement) => {
      if (hasEnded) throw new Error(TRANSACTION_ENDED);
      return statements.run(() => statement(client)).catch(rethrown);
    };
    const tx = transactionOver(within);
    let failure: unknown;
    try {
      await client.query(begin).catch(rethrown);
      const result = await blocks.run(() => work(tx));
      await end(client).catch(rethrown);
      return result;
    } catch (error) {
      failure = error;
      await client.query('rollback').catch((lost: unknown) => {
        failure = lost;
      });
      throw error;
    } finally {
      hasEnded = true;
      release(failure);
    }
  }

  /** Commits. If no response comes, asks for the outcome by the transaction's number. */
  async function commit(client: pg.PoolClient): Promise<void> {
    const [numbered] =
      outcomeWait === 0 ? [] : (await client.query<[string | null]>(TRANSACTION_NUMBER)).rows;
    const number = numbered?.[0] ?? null;
    try {
      await client.query('commit');
    } catch (error) {
      if (number === null) throw error;
      const ask = async (text: string, values: string[]) => {
        const held = await connect();
        try {
          return (await held.client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
        } finally {
          held.release(new Error('Connection terminated'));
        }
      };
      const outcome = await commitOutcome(ask, number, outcomeWait);
      if (outcome === 'aborted') throw error;
      if (outcome === 'unknown') throw new OutcomeUnknown({ cause: new StoreUnavailable({ cause: error }) });
    }
  }

  /** The statements of a transaction, or of none, which `execute` runs. */
  function sessionOver(execute: Execute): SqlSession {
    const prepare = (sql: string): SqlStatement => {
      const text = numbered(sql);
      const run = (values: readonly SqlInput[]) =>
        execute((client) => runStatement(client, text, values.map(storable)));
      return {
        get: async (...values) => named(await run(values))[0],
        all: async (...values) => named(await run(values)),
        row: async (...values) => (await run(values)).rows[0],
        rows: async (...values) => (await run(values)).rows,
        iterate: (...values) =>
          execute === alone
            ? iterateAlone(text, values.map(storable))
            : iterate(execute, text, values.map(storable)),
        run: async (...values) => ({ changes: (await run(values)).rowCount ?? 0 }),
      };
    };
    /** Runs a task if the database has the extension Citus. */
    const onCitus = (taskOf: (tasks: CitusTasks) => (client: pg.ClientBase) => Promise<void>) =>
      execute(async (client) => {
        if ((await client.query(HAS_CITUS)).rows.length > 0)
          await taskOf(await import('../citus/tasks.ts'))(client);
      });
    return {
      engine: 'postgresql',
      store: inUse,
      sql: sqlTag(prepare),
      prepare,
      exec: (text) => execute((client) => client.query(text)).then(() => {}),
      anyOf: (expression) => `${expression} = any(?)`,
      async addRows(table, columns, rows) {
        const text = `copy ${table} (${columns.join(', ')}) from stdin`;
        // One statement for each part, because making the rows may need statements, too.
        for await (const part of copyText(rows))
          await execute((client) => pipeline(Readable.from([part]), client.query(copyFrom(text))));
      },
      cluster: {
        waitForCommits: () => onCitus((tasks) => tasks.waitForCommits),
        distributeNewTables: () => onCitus((tasks) => tasks.distributeNewTables),
        requireDays(days) {
          if (unreachable !== null && days.some(unreachable.has)) throw new StoreUnavailable();
        },
      },
    };
  }

  function transactionOver(execute: Execute): SqlTransaction {
    const session = sessionOver(execute);
    return {
      ...session,
      lock: (lock) => session.exec(takeLock(lock)),
      share: (name) => session.exec(`select pg_advisory_xact_lock_shared(${lockNumbers(name)})`),
      async tryAlone(name) {
        const { rows } = await execute((client) =>
          client.query<[number]>({
            text: `select pg_try_advisory_xact_lock(${lockNumbers(name)})::int`,
            rowMode: 'array',
          }),
        );
        return rows[0]?.[0] === 1;
      },
    };
  }

  /** Declared in SQL, because the transaction's other statements would wait for a cursor of the protocol. */
  async function* iterate(execute: Execute, text: string, values: unknown[]): AsyncGenerator<SqlValue[]> {
    const query = (text: string, values: unknown[] = []) =>
      execute((client) => client.query<SqlValue[]>({ text, values, rowMode: 'array' }));
    cursors += 1;
    const cursor = `cursor_${cursors}`;
    await query(`declare ${cursor} no scroll cursor for ${text}`, values);
    try {
      for (;;) {
        const { rows } = await query(`fetch ${FETCH_SIZE} from ${cursor}`);
        yield* rows;
        if (rows.length < FETCH_SIZE) break;
      }
    } finally {
      // After an error, the transaction has closed it.
      await query(`close ${cursor}`).catch(() => {});
    }
  }

  /** A cursor needs a transaction: here its own, read-only one. */
  async function* iterateAlone(text: string, values: unknown[]): AsyncGenerator<SqlValue[]> {
    blocks.requireOutside();
    const { client, release } = await connect().catch(rethrown);
    let failure: unknown;
    try {
      await client.query(BEGIN_CURSOR);
      yield* iterate((statement) => statement(client), text, values);
    } catch (error) {
      failure = error;
      rethrown(error);
    } finally {
      await client.query('rollback').catch(() => {});
      release(failure);
    }
  }

  /** The connection whose locks last until the store is closed. */
  async function session(): Promise<pg.Client> {
    if (sessionClient === null) {
      const opening = openClient(primary, settings);
      const forget = () => {
        if (sessionClient === opening) sessionClient = null;
      };
      sessionClient = opening;
      opening.then((client) => client.once('end', forget), forget);
    }
    return sessionClient.catch((error: unknown) => rethrown(asUnusable(error, primary)));
  }

  async function onSession(text: string): Promise<unknown> {
    const client = await session();
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' }).catch(rethrown);
    return rows[0]?.[0];
  }

  const database: PostgresDatabase = {
    ...sessionOver(alone),
    async requireSessions() {
      await requireSessions(connect).catch((error: unknown) => {
        throw isTransientFailure(error) ? new StoreUnavailable({ cause: error }) : error;
      });
    },
    async read(work) {
      blocks.requireOutside();
      const once = () =>
        transaction(
          'begin isolation level repeatable read read only',
          (client) => client.query('commit'),
          work,
        );
      return twice(once);
    },
    async write(lock, work) {
      blocks.requireOutside();
      // Begins and locks in one round trip. Later reads see what the lock's previous holder has committed.
      const begin = lock === null ? 'begin' : `begin; ${takeLock(lock)}`;
      return turns.run(() => transaction(begin, commit, work));
    },
    async tryLock(name) {
      return (
        (await onSession(
          `select pg_try_advisory_lock(hashtextextended(${pg.escapeLiteral(name)}, 0))::int`,
        )) === 1
      );
    },
    async holdShared(name) {
      await onSession(`select pg_advisory_lock_shared(${lockNumbers(name)})`);
      return async () => {
        await onSession(`select pg_advisory_unlock_shared(${lockNumbers(name)})`);
      };
    },
    async overwriteDeleted(tables) {
      // Skips a locked table, because Citus locks it as long as it moves the rows.
      await database.exec(`vacuum (skip_locked) ${tables.join(', ')}`);
      return true;
    },
    async close() {
      const session = await sessionClient?.catch(() => null);
      // A pool waits for the connections in use, and an iteration that was never finished keeps its own.
      for (const { release } of inUse) release(new Error('Connection terminated'));
      await Promise.all([session?.end(), ...servers.map(({ pool }) => pool.end())]);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
  return database;
}

function probeEvery(ms: number, probe: () => Promise<void>): () => void {
  const timer = setInterval(() => void probe(), ms).unref();
  return () => clearInterval(timer);
}

/** Tries a read again after a transient failure: the next connection goes to another server, if there is one. */
async function twice<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // After a lock timeout, there is no time left for another attempt.
    if (!isUnavailable(error) || isStoreLocked(error)) throw error;
    return read();
  }
}

const isUnavailable = (error: unknown) => isTransientFailure(error) || isStoreUnavailable(error);

/** A prepared statement already exists, or no longer does: a pooler has changed the session. */
const LOST_STATEMENT: ReadonlySet<unknown> = new Set(['42P05', '26000']);

/** Throws what a statement's failure means to the caller. */
function rethrown(error: unknown): never {
  if (error instanceof OutcomeUnknown || isStoreUnavailable(error)) throw error;
  if (isTransientFailure(error)) throw new StoreUnavailable({ cause: error });
  const message = LOST_STATEMENT.has(errorCode(error))
    ? POOLED_BY_TRANSACTION
    : 'The store rejected a statement';
  throw new Error(message, { cause: error });
}

function named({ fields, rows }: pg.QueryArrayResult<SqlValue[]>): SqlRow[] {
  return rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at] ?? null])));
}

/** PostgreSQL's text cannot contain NUL, so it is replaced. */
function storable(value: SqlInput): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (!Array.isArray(value)) return value;
  return value.map((element: number | string) =>
    typeof element === 'string' ? withoutNul(element) : element,
  );
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
