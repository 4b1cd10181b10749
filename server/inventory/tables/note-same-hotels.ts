import { writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ReferenceData } from '../inventory.ts';
import { SAME_HOTELS_NOTE } from '../inventory-notes.ts';
import { findSameHotels } from '../same-hotels.ts';
import { walkReferenceTable } from './reference-tables.ts';

/** Finds the hotels that several providers list, and notes them, in the transaction that changes hotels. */
export async function noteSameHotels(database: SqlDatabase): Promise<void> {
  const [countries, regions] = [await byId(database, 'countries'), await byId(database, 'regions')];
  const [resorts, providers] = [await byId(database, 'resorts'), await byId(database, 'providers')];
  const groups = await findSameHotels(walkReferenceTable(database, 'hotels'), {
    placesOf(id) {
      const resort = resorts.get(id);
      const region = regions.get(resort?.region ?? 0);
      const places = [resort, region, countries.get(region?.country ?? 0)];
      return places.flatMap((place) => place?.name ?? []);
    },
    providerCode: (id) => providers.get(id ?? 0)?.code ?? '',
  });
  await writeNote(database, SAME_HOTELS_NOTE, JSON.stringify(groups));
}

async function byId<K extends keyof ReferenceData>(database: SqlDatabase, dictionary: K) {
  const records = new Map<number, ReferenceData[K][number]>();
  for await (const record of walkReferenceTable(database, dictionary)) records.set(record.id, record);
  return records;
}
