import { latestUsed } from '../../lib/lru-cache.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { buildCatalogue, type CodedCatalogue, type LookUp, type Named } from '../catalogue.ts';
import type { NameData, RecordData } from '../inventory.ts';
import { NAME_QUERIES, nameDataOf, REFERENCE_VERSION, recordOfRow, selectOf } from './reference-tables.ts';

/** Records of each dictionary that are kept: more than one answer, or one import's batch, needs. */
const KEPT_RECORDS = 10_000;

/**
 * The dictionaries of an open store as they stand now, for a thread that may wait: names are read anew after they
 * were replaced, hotels, flights and rooms when they are asked for.
 */
export function storedCatalogue(database: SqlDatabase): () => CodedCatalogue {
  const readVersion = database.prepare('select value from note where name = ?');
  const readNames = NAME_QUERIES.map((sql) => database.prepare(sql));
  const lookUps = { hotels: byId('hotels'), flights: byId('flights'), rooms: byId('rooms') };
  const hotelsCoded = byCode('hotels');
  const roomsCoded = byCode('rooms');
  let version: unknown = null;
  let held: CodedCatalogue | null = null;

  function byId<K extends keyof RecordData>(dictionary: K): () => LookUp<K> {
    const read = database.prepare(`${selectOf(dictionary)} where id = ?`);
    return () => {
      const kept = latestUsed<RecordData[K][number]>(KEPT_RECORDS);
      return {
        get(id) {
          const known = kept.get(id);
          if (known !== undefined) return known;
          const row = read.row(id);
          if (row === undefined) return undefined;
          const record = recordOfRow(dictionary, row);
          kept.set(id, record);
          return record;
        },
      };
    };
  }

  function byCode<K extends 'hotels' | 'rooms'>(dictionary: K): Named<K> {
    const read = database.prepare(`${selectOf(dictionary)} where code = ? order by id`);
    return (code) => read.rows(code).map((row) => recordOfRow(dictionary, row));
  }

  return () => {
    const newest = readVersion.get(REFERENCE_VERSION)?.value ?? null;
    if (held !== null && newest === version) return held;
    version = newest;
    const names: NameData = nameDataOf(readNames.map((statement) => statement.rows()));
    const records = { hotels: lookUps.hotels(), flights: lookUps.flights(), rooms: lookUps.rooms() };
    held = { ...buildCatalogue(names, records), hotelsCoded, roomsCoded };
    return held;
  };
}
