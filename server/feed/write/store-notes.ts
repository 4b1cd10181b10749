import { FEEDS_NOTE, SAMPLE_MARKET_NOTE } from '../../inventory/inventory-notes.ts';
import { readNote, readNotes, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlSession } from '../../storage/sql-database.ts';

const LAST_IMPORT = 'feed.last.';

export interface LastImport {
  /** ISO 8601 in UTC. */
  at: string;
  format: string;
  packages: number;
  added: number;
  changed: number;
  removed: number;
  refused: number;
  /** The last departure, in days since 1970-01-01; missing in notes of earlier versions. */
  until?: number;
}

export async function writeLastImport(
  database: SqlSession,
  provider: string,
  last: LastImport,
): Promise<void> {
  await writeNote(database, LAST_IMPORT + provider, JSON.stringify(last));
  await writeNote(database, FEEDS_NOTE, last.at);
}

export async function removeLastImport(database: SqlSession, provider: string): Promise<void> {
  await removeNote(database, LAST_IMPORT + provider);
  const [other] = (await readLastImports(database)).toSorted((one, another) =>
    one.last.at < another.last.at ? 1 : -1,
  );
  if (other === undefined) await removeNote(database, FEEDS_NOTE);
  else await writeNote(database, FEEDS_NOTE, `${other.last.at} without ${provider}`);
}

/** The providers whose feeds are in the store, sorted by code. */
export async function readLastImports(
  database: SqlSession,
): Promise<{ provider: string; last: LastImport }[]> {
  return (await readNotes(database, LAST_IMPORT)).map(({ name, value }) => ({
    provider: name.slice(LAST_IMPORT.length),
    last: JSON.parse(value) as LastImport,
  }));
}

/** Where the store's packages come from. The sample and feeds are never mixed. */
export async function inventoryKind(database: SqlSession): Promise<'empty' | 'sample' | 'feeds'> {
  if ((await readNote(database, SAMPLE_MARKET_NOTE)) !== null) return 'sample';
  return (await readNote(database, FEEDS_NOTE)) === null ? 'empty' : 'feeds';
}
