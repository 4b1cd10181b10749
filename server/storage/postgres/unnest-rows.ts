import type { SqlSession, SqlValue } from '../sql-database.ts';

/**
 * Rows as a statement's parameters, one array per column, converted to the types of a table's columns: the fastest way
 * into PostgreSQL.
 */
export async function givenRows(tx: SqlSession, table: string, columns: readonly string[]) {
  const types = await columnTypes(tx, table);
  const arrays = columns.map((column) => `cast(? as ${types.get(column)}[])`);
  const names = columns.join(', ');
  return {
    /** An item of a `from` clause, named `given`. Each `?` takes the values of one column, in order. */
    sql: `unnest(${arrays.join(', ')}) as given(${names})`,
    /** As `sql`, but with a further column `nth`, the row's number from 1. */
    numberedSql: `unnest(${arrays.join(', ')}) with ordinality as given(${names}, nth)`,
    /** The values for the `?` of `sql` and `numberedSql`. */
    valuesOf(rows: Iterable<readonly SqlValue[]>): string[] {
      const parts = columns.map((): string[] => []);
      for (const row of rows) for (const [at, part] of parts.entries()) part.push(elementOf(row[at]));
      return parts.map((part) => `{${part.join(',')}}`);
    },
  };
}

/** The types by table, of each open store: its migrations have run. */
const known = new WeakMap<object, Map<string, ReadonlyMap<string, string>>>();

async function columnTypes(tx: SqlSession, table: string): Promise<ReadonlyMap<string, string>> {
  const tables = known.get(tx.store) ?? new Map<string, ReadonlyMap<string, string>>();
  known.set(tx.store, tables);
  const read = tables.get(table);
  if (read !== undefined) return read;
  const rows = await tx
    .prepare(
      `select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = cast(? as regclass)`,
    )
    .rows(table);
  const types = new Map(rows as [string, string][]);
  tables.set(table, types);
  return types;
}

/** A value in the syntax of an array literal. */
function elementOf(value: SqlValue | undefined): string {
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return `"${value.replaceAll('\0', '\ufffd').replaceAll(/[\\"]/g, '\\$&')}"`;
}
