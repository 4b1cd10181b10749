import type { SqlValue } from './sql-database.ts';

/** Rows as the JSON that PostgreSQL's `json_populate_recordset` reads: one value to send, however many they are. */
export function jsonRows(columns: readonly string[], rows: Iterable<readonly SqlValue[]>): string {
  const names = columns.map((column) => `${JSON.stringify(column)}:`);
  const objects: string[] = [];
  for (const row of rows) objects.push(`{${names.map((name, at) => name + jsonOf(row[at])).join(',')}}`);
  return `[${objects.join(',')}]`;
}

function jsonOf(value: SqlValue | undefined): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return value === null || value === undefined ? 'null' : JSON.stringify(value.replaceAll('\0', '\ufffd'));
}
