import type { SqlDatabase, SqlValue } from './sql-database.ts';

// Notes are named values in the store, such as the name of the sample market.

/** Reads a note, for clients that run their own statements; see `noteValue`. */
export const READ_NOTE = 'select value from note where name = ?';

/** The value in the rows that `READ_NOTE` returned, or null. */
export function noteValue(rows: readonly (readonly SqlValue[])[]): string | null {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : null;
}

export function readNote({ sql }: Pick<SqlDatabase, 'sql'>, name: string): string | null {
  const value = sql.get`select value from note where name = ${name}`?.value;
  return typeof value === 'string' ? value : null;
}

/** The notes whose names start with `prefix`, by name. */
export function readNotes(
  { sql }: Pick<SqlDatabase, 'sql'>,
  prefix: string,
): { name: string; value: string }[] {
  const notes = sql.all`select name, value from note where name like ${`${prefix}%`} order by name`;
  return notes.map(({ name, value }) => ({ name: String(name), value: String(value) }));
}

export function writeNote({ sql }: Pick<SqlDatabase, 'sql'>, name: string, value: string): void {
  sql.run`insert into note (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

/** Writes a note unless it already exists. */
export function addNote({ sql }: Pick<SqlDatabase, 'sql'>, name: string, value: string): void {
  sql.run`insert into note (name, value) values (${name}, ${value}) on conflict (name) do nothing`;
}

export function removeNote({ sql }: Pick<SqlDatabase, 'sql'>, name: string): void {
  sql.run`delete from note where name = ${name}`;
}

/** Removes the notes whose names start with `prefix`. */
export function removeNotes({ sql }: Pick<SqlDatabase, 'sql'>, prefix: string): void {
  sql.run`delete from note where name like ${`${prefix}%`}`;
}
