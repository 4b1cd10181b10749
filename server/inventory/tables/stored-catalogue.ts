import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { CodedCatalogue, Named } from '../catalogue.ts';
import type { OfferRow, RecordData } from '../inventory.ts';
import { cachedCatalogue, type FindRecord } from './cached-catalogue.ts';
import {
  NAME_QUERIES,
  nameDataOf,
  RECORDS,
  REFERENCE_VERSION,
  recordOfRow,
  selectOf,
} from './reference-tables.ts';

export interface StoredCatalogue extends CodedCatalogue {
  /** Changes with every import. */
  readonly version: string;
  /** Reads the hotels and rooms of many offers together, to save round trips to PostgreSQL. */
  loadCoded(offers: readonly OfferRow[]): void;
}

/**
 * Returns the current dictionaries of an open store, for threads that may block. Reads names again when they
 * change, and hotels, flights and rooms when needed.
 */
export function storedCatalogue(database: SqlDatabase): () => StoredCatalogue {
  const readNames = NAME_QUERIES.map((sql) => database.prepare(sql));
  const find = recordFinder(database);
  const hotelsCoded = recordsByCode(database, 'hotels');
  const roomsCoded = recordsByCode(database, 'rooms');
  const readHotels = recordsById(database, 'hotels');
  const readRooms = recordsById(database, 'rooms');
  let current: { version: string | null; catalogue: StoredCatalogue } | null = null;

  return () => {
    const version = readNote(database, REFERENCE_VERSION);
    if (current !== null && current.version === version) return current.catalogue;
    const names = nameDataOf(readNames.map((statement) => statement.rows()));
    const cached = cachedCatalogue(version ?? '', names, find);
    const catalogue: StoredCatalogue = {
      ...cached,
      hotelsCoded,
      roomsCoded,
      loadCoded(offers) {
        const { hotels, rooms } = cached.missing(offers);
        cached.add({ hotels: readHotels(hotels), rooms: readRooms(rooms), flights: [] });
      },
    };
    current = { version, catalogue };
    return catalogue;
  };
}

function recordsById<K extends 'hotels' | 'rooms'>(
  database: SqlDatabase,
  dictionary: K,
): (ids: readonly number[]) => RecordData[K][number][] {
  const statement = database.prepare(`${selectOf(dictionary)} where ${database.anyOf('id')}`);
  return (ids) => (ids.length === 0 ? [] : statement.rows(ids).map((row) => recordOfRow(dictionary, row)));
}

function recordFinder(database: SqlDatabase): FindRecord {
  const statements = new Map(
    RECORDS.map((dictionary) => [dictionary, database.prepare(`${selectOf(dictionary)} where id = ?`)]),
  );
  return (dictionary, id) => {
    const row = statements.get(dictionary)?.row(id);
    return row && recordOfRow(dictionary, row);
  };
}

function recordsByCode<K extends 'hotels' | 'rooms'>(database: SqlDatabase, dictionary: K): Named<K> {
  const statement = database.prepare(`${selectOf(dictionary)} where code = ? order by id`);
  return (code) => statement.rows(code).map((row) => recordOfRow(dictionary, row));
}
