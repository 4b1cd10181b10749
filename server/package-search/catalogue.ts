import type { ReferenceData } from '../storage/inventory.ts';

/** The dictionaries as a search uses them: by id for its rows, and by the names that visitors type. */
export interface Catalogue {
  readonly reference: ReferenceData;
  readonly countries: ById<'countries'>;
  readonly regions: ById<'regions'>;
  readonly resorts: ById<'resorts'>;
  readonly airports: ById<'airports'>;
  readonly providers: ById<'providers'>;
  readonly hotels: ById<'hotels'>;
  readonly flights: ById<'flights'>;
  readonly boards: ById<'boards'>;
  readonly rooms: ById<'rooms'>;
  readonly parties: ById<'parties'>;
}

type ById<K extends keyof ReferenceData> = ReadonlyMap<number, ReferenceData[K][number]>;

export function buildCatalogue(reference: ReferenceData): Catalogue {
  return {
    reference,
    countries: byId(reference.countries),
    regions: byId(reference.regions),
    resorts: byId(reference.resorts),
    airports: byId(reference.airports),
    providers: byId(reference.providers),
    hotels: byId(reference.hotels),
    flights: byId(reference.flights),
    boards: byId(reference.boards),
    rooms: byId(reference.rooms),
    parties: byId(reference.parties),
  };
}

/** Names are the same whatever their case and the blanks around them. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** An offer names a record that these dictionaries have not: they are older than it, or the store is damaged. */
export class UnknownRecord extends Error {
  constructor(id: number) {
    super(`The store has an offer whose record ${id} is in no dictionary`);
  }
}

/** The record that a row names. Throws `UnknownRecord`. */
export function recordOf<T>(records: ReadonlyMap<number, T>, id: number): T {
  const record = records.get(id);
  if (record === undefined) throw new UnknownRecord(id);
  return record;
}

function byId<T extends { id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}
