import { givenRows } from '../postgres/unnest-rows.ts';
import type { SqlSession, SqlValue } from '../sql-database.ts';

export interface InsertTarget {
  table: string;
  columns: readonly string[];
  /** The columns of the unique key, which come first. If omitted, an existing row is an error. */
  keys?: readonly string[];
  /** The columns to update in an existing row. If omitted, the row stays unchanged. */
  update?: readonly string[];
}

/** Inserts rows inside the caller's transaction. If several rows have the same key, the last counts. */
interface RowInserter {
  insert(rows: Iterable<readonly SqlValue[]>): Promise<void>;
}

/** Rows per statement in PostgreSQL. */
const ROWS_A_STATEMENT = 5_000;

/** Inserts many rows into a table, in the fastest way on the tx's engine. */
export async function rowInserter(tx: SqlSession, target: InsertTarget): Promise<RowInserter> {
  return tx.engine === 'sqlite' ? oneByOne(tx, target) : await inBatches(tx, target);
}

function oneByOne(tx: SqlSession, target: InsertTarget): RowInserter {
  const { table, columns } = target;
  const statement = tx.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${onConflict(target)}`,
  );
  return {
    async insert(rows) {
      for (const row of rows) await statement.run(...row);
    },
  };
}

async function inBatches(tx: SqlSession, target: InsertTarget): Promise<RowInserter> {
  const { table, columns, keys = [] } = target;
  const names = columns.join(', ');
  const given = await givenRows(tx, table, columns);
  const statement = tx.prepare(
    `insert into ${table} (${names}) select ${names} from ${given.sql} ${onConflict(target)}`,
  );
  // A PostgreSQL statement cannot change a row twice, so only the last row of each key is sent.
  const nameOf = (row: readonly SqlValue[], nth: number) =>
    keys.length === 0 ? nth : row.slice(0, keys.length).join('\n');
  return {
    async insert(rows) {
      let batch = new Map<unknown, readonly SqlValue[]>();
      const write = async () => {
        if (batch.size > 0) await statement.run(...given.valuesOf(batch.values()));
        batch = new Map();
      };
      let nth = 0;
      for (const row of rows) {
        nth += 1;
        batch.set(nameOf(row, nth), row);
        if (batch.size >= ROWS_A_STATEMENT) await write();
      }
      await write();
    },
  };
}

function onConflict({ keys = [], update = [] }: InsertTarget): string {
  if (keys.length === 0) return '';
  const assignments = update.map((column) => `${column} = excluded.${column}`);
  const action = assignments.length === 0 ? 'nothing' : `update set ${assignments.join(', ')}`;
  return `on conflict (${keys.join(', ')}) do ${action}`;
}
