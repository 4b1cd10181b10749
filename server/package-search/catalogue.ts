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
  readonly countriesNamed: Named<'countries'>;
  readonly regionsNamed: Named<'regions'>;
  readonly resortsNamed: Named<'resorts'>;
  readonly airportsCoded: Named<'airports'>;
  readonly providersCoded: Named<'providers'>;
  readonly boardsCoded: Named<'boards'>;
}

type ById<K extends keyof ReferenceData> = ReadonlyMap<number, ReferenceData[K][number]>;

/** All records of a name; several places may share one. */
type Named<K extends keyof ReferenceData> = (name: string) => readonly ReferenceData[K][number][];

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
    countriesNamed: named(reference.countries, ({ name }) => name),
    regionsNamed: named(reference.regions, ({ name }) => name),
    resortsNamed: named(reference.resorts, ({ name }) => name),
    airportsCoded: named(reference.airports, ({ code }) => code),
    providersCoded: named(reference.providers, ({ code }) => code),
    boardsCoded: named(reference.boards, ({ code }) => code),
  };
}

/** Names are the same whatever their case and the blanks around them. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
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

function named<T>(records: readonly T[], nameOf: (record: T) => string): (name: string) => readonly T[] {
  const byName = Map.groupBy(records, (record) => folded(nameOf(record)));
  return (name) => byName.get(folded(name)) ?? [];
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
