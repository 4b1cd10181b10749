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

/** Returns the current dictionaries of a store, read in a session. Reads names again when they change. */
export type ReadCatalogue = (session: SqlSession) => Promise<StoredCatalogue>;

export function storedCatalogue(): ReadCatalogue {
  const catalogues = catalogueVersions();

  return async (session) => {
    const reader: RowReader = {
      rows: (sql, values) => session.prepare(sql).rows(...values),
      anyOf: session.anyOf,
      anyOfRows: () => {
        throw new Error('Records have one key');
      },
    };
    const version = (await readNote(session, REFERENCE_VERSION)) ?? '';
    const cached = await catalogues.at(version, reader.rows);
    return {
      ...cached,
      hotelsCoded: recordsByCode(session, 'hotels'),
      roomsCoded: recordsByCode(session, 'rooms'),
      load: (offers) => cached.load(reader, offers),
    };
  };
}

function recordsByCode<K extends 'hotels' | 'rooms'>(session: SqlSession, dictionary: K) {
  const sql = `${selectOf(dictionary)} where code = ? order by id`;
  return async (code: string): Promise<RecordData[K][number][]> =>
    (await session.prepare(sql).rows(code)).map((row) => recordOfRow(dictionary, row));
}
