import * as v from 'valibot';
import { FEEDS_NOTE, SAMPLE_MARKET_NOTE } from '../../inventory/inventory-notes.ts';
import { readNote, readNotes, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

const LAST_IMPORT = 'feed.last.';

const lastImport = v.object({
  /** ISO 8601 in UTC. */
  at: v.string(),
  format: v.string(),
  packages: v.number(),
  added: v.number(),
  changed: v.number(),
  removed: v.number(),
  refused: v.number(),
});

export type LastImport = v.InferOutput<typeof lastImport>;

export function writeLastImport(database: SqlDatabase, provider: string, last: LastImport): void {
  writeNote(database, LAST_IMPORT + provider, JSON.stringify(last));
  writeNote(database, FEEDS_NOTE, last.at);
}

export function removeLastImport(database: SqlDatabase, provider: string): void {
  removeNote(database, LAST_IMPORT + provider);
  if (readLastImports(database).length === 0) removeNote(database, FEEDS_NOTE);
}

/** The providers whose feeds are in the store, sorted by code. */
export function readLastImports(database: SqlDatabase): { provider: string; last: LastImport }[] {
  return readNotes(database, LAST_IMPORT).map(({ name, value }) => ({
    provider: name.slice(LAST_IMPORT.length),
    last: v.parse(lastImport, JSON.parse(value)),
  }));
}

/** Where the store's packages come from. The sample and feeds are never mixed. */
export function inventoryKind(database: SqlDatabase): 'empty' | 'sample' | 'feeds' {
  if (readNote(database, SAMPLE_MARKET_NOTE) !== null) return 'sample';
  return readNote(database, FEEDS_NOTE) === null ? 'empty' : 'feeds';
}
