import * as v from 'valibot';
import { FEEDS_NOTE, SAMPLE_MARKET_NOTE } from '../../storage/inventory-notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/** The note of a provider's last import. */
export interface LastImport {
  /** ISO 8601 in UTC. */
  at: string;
  format: string;
  packages: number;
  added: number;
  changed: number;
  removed: number;
  refused: number;
}

const LAST_IMPORT = 'feed.last.';

const lastImport = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    at: v.string(),
    format: v.string(),
    packages: v.number(),
    added: v.number(),
    changed: v.number(),
    removed: v.number(),
    refused: v.number(),
  }),
);

export function readNote(database: SqlDatabase, name: string): string | null {
  const value = database.prepare('select value from note where name = ?').get(name)?.value;
  return typeof value === 'string' ? value : null;
}

export function writeNote(database: SqlDatabase, name: string, value: string): void {
  database
    .prepare(
      'insert into note (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    )
    .run(name, value);
}

export function removeNote(database: SqlDatabase, name: string): void {
  database.prepare('delete from note where name = ?').run(name);
}

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
  const notes = database
    .prepare('select name, value from note where name like ? order by name')
    .all(`${LAST_IMPORT}%`);
  return notes.map(({ name, value }) => ({
    provider: String(name).slice(LAST_IMPORT.length),
    last: v.parse(lastImport, value),
  }));
}

/** Where the store's packages come from. The sample and feeds are never mixed. */
export function inventoryKind(database: SqlDatabase): 'empty' | 'sample' | 'feeds' {
  if (readNote(database, SAMPLE_MARKET_NOTE) !== null) return 'sample';
  return readNote(database, FEEDS_NOTE) === null ? 'empty' : 'feeds';
}
