import type { SqlDatabase, SqlInput, SqlRow, SqlStatement, SqlValue } from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { numbered } from './client.ts';
import type { LinkAnswer, PostgresLink } from './sync-connection.ts';

/** The lock that one write transaction at a time holds, of all servers: any number that nobody else uses. */
const WRITE_LOCK = 7_759_105;

/** Rows that a walk takes at a time. */
const STRIDE = 5_000;

/**
 * How long a walk may wait for whoever reads it, in milliseconds, such as for a feed of tens of millions of rows that
 * is being sorted. It holds no lock that anybody waits for, so the limit of write transactions is not its own.
 */
const WALK_STANDSTILL = 6 * 60 * 60 * 1_000;

const BEGIN_WALK = `begin read only; set local idle_in_transaction_session_timeout = ${WALK_STANDSTILL}`;

/** Tables with people's data: what was deleted in them is cleared away at once when asked for. */
const PEOPLE_TABLES =
  'alert_person, alert_consent, alert_watch, alert_message, alert_attempt, alert_asked, alert_sign_up_count';

/** A PostgreSQL connection as a `SqlDatabase`, which owns and closes it. */
export function postgresDatabase(link: PostgresLink): SqlDatabase {
  let isInTransaction = false;
  const exec = (text: string) => void link.ask({ kind: 'script', text });

  function prepare(sql: string): SqlStatement {
    const text = numbered(sql);
    const ask = (values: readonly SqlInput[]) =>
      link.ask({ kind: 'statement', text, values: values.map(storable), isKept: true });
    return {
      get: (...values) => named(ask(values))[0],
      all: (...values) => named(ask(values)),
      row: (...values) => ask(values).rows[0],
      rows: (...values) => ask(values).rows,
      iterate: (...values) => walk(text, values.map(storable)),
      run: (...values) => ({ changes: ask(values).changes }),
    };
  }

  /** A cursor lives inside a transaction: the caller's, or one of its own that only reads. */
  function* walk(text: string, values: readonly SqlInput[]): Generator<SqlValue[]> {
    const isOwn = !isInTransaction;
    if (isOwn) link.ask({ kind: 'begin', text: BEGIN_WALK });
    try {
      const declared = `declare walk no scroll cursor for ${text}`;
      link.ask({ kind: 'statement', text: declared, values, isKept: false });
      for (;;) {
        const fetch = `fetch forward ${STRIDE} from walk`;
        const { rows } = link.ask({ kind: 'statement', text: fetch, values: [], isKept: false });
        yield* rows;
        if (rows.length < STRIDE) break;
      }
      if (!isOwn) exec('close walk');
    } finally {
      if (isOwn) link.ask({ kind: 'end', text: 'rollback' });
    }
  }

  return {
    engine: 'postgresql',
    sql: sqlTag(prepare),
    prepare,
    exec,
    anyOf: (expression) => `${expression} = any(?)`,
    begin() {
      // One round trip for both. What is read after it has been committed by whoever held the lock before.
      link.ask({ kind: 'begin', text: `begin; select pg_advisory_xact_lock(${WRITE_LOCK})` });
      isInTransaction = true;
    },
    beginReading() {
      link.ask({ kind: 'begin', text: 'begin isolation level repeatable read read only' });
      isInTransaction = true;
    },
    commit() {
      link.ask({ kind: 'end', text: 'commit' });
      isInTransaction = false;
    },
    rollback() {
      isInTransaction = false;
      link.ask({ kind: 'end', text: 'rollback' });
    },
    tryLock(name) {
      const text = 'select pg_try_advisory_lock(hashtextextended($1, 0))::int';
      return link.ask({ kind: 'statement', text, values: [name], isKept: false }).rows[0]?.[0] === 1;
    },
    overwriteDeleted() {
      exec(`vacuum ${PEOPLE_TABLES}`);
      return true;
    },
    close: () => link.close(),
  };
}

function named({ columns, rows }: Extract<LinkAnswer, { kind: 'result' }>): SqlRow[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
}

/** Its texts hold every character but one, which only somebody hostile sends. */
function storable(value: SqlInput): SqlInput {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
