import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { CodedCatalogue, Named } from '../catalogue.ts';
import { cachedCatalogue, type FindRecord } from './cached-catalogue.ts';
import {
  NAME_QUERIES,
  nameDataOf,
  RECORDS,
  REFERENCE_VERSION,
  recordOfRow,
  selectOf,
} from './reference-tables.ts';

/**
 * The current dictionaries of an open store, for a thread that may block: names are read again whenever they changed;
 * hotels, flights and rooms when they are needed.
 */
export function storedCatalogue(database: SqlDatabase): () => CodedCatalogue {
  const readNames = NAME_QUERIES.map((sql) => database.prepare(sql));
  const find = recordFinder(database);
  const hotelsCoded = recordsByCode(database, 'hotels');
  const roomsCoded = recordsByCode(database, 'rooms');
  let current: { version: string | null; catalogue: CodedCatalogue } | null = null;

  return () => {
    const version = readNote(database, REFERENCE_VERSION);
    if (current !== null && current.version === version) return current.catalogue;
    const names = nameDataOf(readNames.map((statement) => statement.rows()));
    const catalogue = { ...cachedCatalogue(version ?? '', names, find), hotelsCoded, roomsCoded };
    current = { version, catalogue };
    return catalogue;
  };
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
