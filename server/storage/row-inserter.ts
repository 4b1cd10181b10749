import type { SqlDatabase, SqlValue } from './sql-database.ts';

/** A table to insert into, and what is done about a row whose key is there already. */
export interface InsertTarget {
  table: string;
  columns: readonly string[];
  /** The columns of the unique key; none: a row that is there already is an error. */
  keys?: readonly string[];
  /** The columns that such a row then gets anew; none: it stays as it is. */
  update?: readonly string[];
}

/** Inserts rows inside the caller's transaction. */
export interface RowInserter {
  insert(rows: Iterable<readonly SqlValue[]>): void;
}

/** Many rows into one table, the way that is quick on the database's engine. */
export function rowInserter(database: SqlDatabase, target: InsertTarget): RowInserter {
  const { table, columns } = target;
  const statement = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${onConflict(target)}`,
  );
  return {
    insert(rows) {
      for (const row of rows) statement.run(...row);
    },
  };
}

function onConflict({ keys = [], update = [] }: InsertTarget): string {
  if (keys.length === 0) return '';
  const assignments = update.map((column) => `${column} = excluded.${column}`);
  const action = assignments.length === 0 ? 'nothing' : `update set ${assignments.join(', ')}`;
  return `on conflict (${keys.join(', ')}) do ${action}`;
}
