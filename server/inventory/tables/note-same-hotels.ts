import { writeNote } from '../../storage/notes.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { ReferenceData } from '../inventory.ts';
import { SAME_HOTELS_NOTE } from '../inventory-notes.ts';
import { findSameHotels } from '../same-hotels.ts';
import { walkReferenceTable } from './reference-tables.ts';

/** Finds the hotels that several providers list, and notes them, in the transaction that changes hotels. */
export async function noteSameHotels(tx: SqlSession): Promise<void> {
  const [countries, regions] = [await byId(tx, 'countries'), await byId(tx, 'regions')];
  const [resorts, providers] = [await byId(tx, 'resorts'), await byId(tx, 'providers')];
  const groups = await findSameHotels(walkReferenceTable(tx, 'hotels'), {
    placesOf(id) {
      const resort = resorts.get(id);
      const region = regions.get(resort?.region ?? 0);
      const places = [resort, region, countries.get(region?.country ?? 0)];
      return places.flatMap((place) => place?.name ?? []);
    },
    providerCode: (id) => providers.get(id ?? 0)?.code ?? '',
  });
  await writeNote(tx, SAME_HOTELS_NOTE, JSON.stringify(groups));
}

async function byId<K extends keyof ReferenceData>(tx: SqlSession, dictionary: K) {
  const records = new Map<number, ReferenceData[K][number]>();
  for await (const record of walkReferenceTable(tx, dictionary)) records.set(record.id, record);
  return records;
}
