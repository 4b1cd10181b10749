import { writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ReferenceData } from '../inventory.ts';
import { SAME_HOTELS_NOTE } from '../inventory-notes.ts';
import { findSameHotels } from '../same-hotels.ts';
import { walkReferenceTable } from './reference-tables.ts';

/** Finds the hotels that several providers list, and notes them, in the transaction that changes hotels. */
export function noteSameHotels(database: SqlDatabase): void {
  const [countries, regions] = [byId(database, 'countries'), byId(database, 'regions')];
  const [resorts, providers] = [byId(database, 'resorts'), byId(database, 'providers')];
  const groups = findSameHotels(walkReferenceTable(database, 'hotels'), {
    placesOf(id) {
      const resort = resorts.get(id);
      const region = regions.get(resort?.region ?? 0);
      const places = [resort, region, countries.get(region?.country ?? 0)];
      return places.flatMap((place) => place?.name ?? []);
    },
    providerCode: (id) => providers.get(id ?? 0)?.code ?? '',
  });
  writeNote(database, SAME_HOTELS_NOTE, JSON.stringify(groups));
}

function byId<K extends keyof ReferenceData>(database: SqlDatabase, dictionary: K) {
  return new Map(Array.from(walkReferenceTable(database, dictionary), (record) => [record.id, record]));
}
