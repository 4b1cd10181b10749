import { createHash } from 'node:crypto';
import { KEY_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlSession } from '../storage/sql-database.ts';

/** For each key column, the hashes of its records' codes by ID; undefined for columns without IDs. */
export type CodeHashes = readonly (Uint32Array | undefined)[];

/** SQL for each record's code. For a party, its numbers of people. */
const CODES: Readonly<Partial<Record<(typeof KEY_COLUMNS)[number], string>>> = {
  party: "select id, adults || '-' || children || '-' || infants from party",
  airport: 'select id, code from airport',
  hotel: 'select id, code from hotel',
  board: 'select id, code from board',
  room: 'select id, code from room',
  provider: 'select id, code from provider',
};

/** Places need no hash, because a hotel implies its place. Their IDs differ between stores. */
const PLACES: readonly string[] = ['country', 'region', 'resort'];

export async function codeHashes(database: SqlSession): Promise<CodeHashes> {
  return await Promise.all(
    KEY_COLUMNS.map(async (column) => {
      if (PLACES.includes(column)) return new Uint32Array();
      const query = CODES[column];
      return query === undefined ? undefined : hashesOf(await database.prepare(query).rows());
    }),
  );
}

function hashesOf(records: readonly (readonly unknown[])[]): Uint32Array {
  const last = records.reduce((highest, [id]) => Math.max(highest, Number(id)), 0);
  const hashes = new Uint32Array(last + 1);
  for (const [id, code] of records) hashes[Number(id)] = hashOf(String(code));
  return hashes;
}

function hashOf(code: string): number {
  return createHash('sha256').update(code).digest().readUInt32BE();
}
