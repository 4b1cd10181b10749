import type { SqlSession, SqlValue } from './sql-database.ts';

// Notes are named values in the store, such as the name of the sample market.

/** Reads a note, for clients that run their own statements; see `noteValue`. */
export const READ_NOTE = 'select value from note where name = ?';

/** The value in the rows that `READ_NOTE` returned, or null. */
export function noteValue(rows: readonly (readonly SqlValue[])[]): string | null {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : null;
}

export async function readNote({ sql }: Pick<SqlSession, 'sql'>, name: string): Promise<string | null> {
  const value = (await sql.get`select value from note where name = ${name}`)?.value;
  return typeof value === 'string' ? value : null;
}

/** The notes whose names start with `prefix`, by name. */
export async function readNotes(
  { sql }: Pick<SqlSession, 'sql'>,
  prefix: string,
): Promise<{ name: string; value: string }[]> {
  const notes = await sql.all`select name, value from note where name like ${`${prefix}%`} order by name`;
  return notes.map(({ name, value }) => ({ name: String(name), value: String(value) }));
}

export async function writeNote(
  { sql }: Pick<SqlSession, 'sql'>,
  name: string,
  value: string,
): Promise<void> {
  await sql.run`insert into note (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

/** Writes a note unless it already exists. */
export async function addNote({ sql }: Pick<SqlSession, 'sql'>, name: string, value: string): Promise<void> {
  await sql.run`insert into note (name, value) values (${name}, ${value}) on conflict (name) do nothing`;
}

export async function removeNote({ sql }: Pick<SqlSession, 'sql'>, name: string): Promise<void> {
  await sql.run`delete from note where name = ${name}`;
}

/** Removes the notes whose names start with `prefix`. */
export async function removeNotes({ sql }: Pick<SqlSession, 'sql'>, prefix: string): Promise<void> {
  await sql.run`delete from note where name like ${`${prefix}%`}`;
}
