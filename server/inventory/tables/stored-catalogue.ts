import { readNote } from '../../storage/notes.ts';
import type { RowReader, SqlSession } from '../../storage/sql-database.ts';
import type { CodedCatalogue } from '../catalogue.ts';
import type { RecordData } from '../inventory.ts';
import { catalogueVersions } from './cached-catalogue.ts';
import { REFERENCE_VERSION, recordOfRow, selectOf } from './reference-tables.ts';

export interface StoredCatalogue extends CodedCatalogue {
  /** Changes with every import. */
  readonly version: string;
}

/** Returns the current dictionaries of an open store. Reads names again when they change. */
export function storedCatalogue(database: SqlSession): () => Promise<StoredCatalogue> {
  const reader: RowReader = {
    rows: (sql, values) => database.prepare(sql).rows(...values),
    anyOf: database.anyOf,
    anyOfRows: () => {
      throw new Error('Records have one key');
    },
  };
  const catalogues = catalogueVersions();
  let current: StoredCatalogue | null = null;

  return async () => {
    const version = (await readNote(database, REFERENCE_VERSION)) ?? '';
    if (current !== null && current.version === version) return current;
    const cached = await catalogues.at(version, reader.rows);
    current = {
      ...cached,
      hotelsCoded: recordsByCode(database, 'hotels'),
      roomsCoded: recordsByCode(database, 'rooms'),
      load: (offers) => cached.load(reader, offers),
    };
    return current;
  };
}

function recordsByCode<K extends 'hotels' | 'rooms'>(database: SqlSession, dictionary: K) {
  const sql = `${selectOf(dictionary)} where code = ? order by id`;
  return async (code: string): Promise<RecordData[K][number][]> =>
    (await database.prepare(sql).rows(code)).map((row) => recordOfRow(dictionary, row));
}
