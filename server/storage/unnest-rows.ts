import type { SqlDatabase, SqlValue } from './sql-database.ts';

/** Rows that a statement is given, as PostgreSQL takes many of them quickest: an array for each column. */
export interface GivenRows {
  /** What stands behind `from`: the rows, by the name `given`. Its `?` come in the order of the columns. */
  sql: string;
  /** The values of those `?`. */
  valuesOf(rows: Iterable<readonly SqlValue[]>): string[];
}

/** Rows of some columns of a table; the columns' types are the table's own. */
export function givenRows(database: SqlDatabase, table: string, columns: readonly string[]): GivenRows {
  const types = new Map(
    database
      .prepare(
        `select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = cast(? as regclass)`,
      )
      .rows(table) as [string, string][],
  );
  const arrays = columns.map((column) => `cast(? as ${types.get(column)}[])`);
  return {
    sql: `unnest(${arrays.join(', ')}) as given(${columns.join(', ')})`,
    valuesOf(rows) {
      const parts = columns.map((): string[] => []);
      for (const row of rows) for (const [at, part] of parts.entries()) part.push(elementOf(row[at]));
      return parts.map((part) => `{${part.join(',')}}`);
    },
  };
}

/** A value as an element of an array's text. */
function elementOf(value: SqlValue | undefined): string {
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return `"${value.replaceAll('\0', '\ufffd').replaceAll(/[\\"]/g, '\\$&')}"`;
}
