import { randomUUID } from 'node:crypto';
import { HOTEL_FACT_ENTRIES } from '../../../domain/hotel-facts.ts';
import type { PriceStanding } from '../../../domain/price-standing.ts';
import { noteValue, readNote, writeNote } from '../../storage/notes.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlRow, SqlSession, SqlValue } from '../../storage/sql-database.ts';
import type { NamesAndCharges, RecordData, ReferenceData } from '../inventory.ts';
import { CHARGES_NOTE, SAME_HOTELS_NOTE, STANDING_NOTE } from '../inventory-notes.ts';
import { storedCharges } from '../offer-charges.ts';

/** The name of the note that changes whenever dictionaries change. */
export const REFERENCE_VERSION = 'reference_version';

/** The name of the note that changes whenever packages are written outside of an import. */
const OFFERS_VERSION = 'offers_version';

/** Reads the rows for `versionsOf`. */
export const READ_VERSIONS = `select name, value from note where name in ('${REFERENCE_VERSION}', '${OFFERS_VERSION}')`;

/** The version of the dictionaries, and of the whole inventory. */
export interface InventoryVersions {
  reference: string;
  inventory: string;
}

export function versionsOf(rows: readonly (readonly SqlValue[])[]): InventoryVersions {
  const noteOf = (name: string) => String(rows.find(([of]) => of === name)?.[1] ?? '');
  const reference = noteOf(REFERENCE_VERSION);
  return { reference, inventory: `${reference} ${noteOf(OFFERS_VERSION)}` };
}

/** The name of the note that changes whenever unused records are removed. */
export const RECORDS_REMOVED = 'reference_removed';

/** Notifies readers that the dictionaries changed. Call it inside the transaction that changes them. */
export async function renewReferenceVersion(database: SqlSession): Promise<void> {
  await writeNote(database, REFERENCE_VERSION, randomUUID());
}

/** Notifies readers that packages changed. Call it inside the transaction that changes them. */
export async function renewOffersVersion(database: SqlSession): Promise<void> {
  await writeNote(database, OFFERS_VERSION, randomUUID());
}

/** A value that changes whenever dictionaries change or lose records. */
export async function referenceState(database: SqlSession): Promise<string> {
  return (
    await Promise.all([RECORDS_REMOVED, REFERENCE_VERSION].map((name) => readNote(database, name)))
  ).join(' ');
}

type Names<K extends keyof ReferenceData> = readonly (readonly [
  field: keyof ReferenceData[K][number] & string,
  column: string,
])[];

/** Each dictionary's table, and the column for each field. */
const TABLES: { readonly [K in keyof ReferenceData]: { readonly table: string; readonly names: Names<K> } } =
  {
    countries: { table: 'country', names: same('id', 'name') },
    regions: { table: 'region', names: same('id', 'country', 'name') },
    resorts: { table: 'resort', names: same('id', 'region', 'name') },
    airports: { table: 'airport', names: same('id', 'code', 'name', 'timezone') },
    providers: {
      table: 'provider',
      names: [...same('id', 'code', 'name'), ['linkTemplate', 'link_template']],
    },
    hotels: {
      table: 'hotel',
      names: [
        ...same('id', 'code', 'name', 'resort', 'latitude', 'longitude', 'provider', 'photos'),
        ...same('facilities', 'description'),
        ['childPrices', 'child_prices'],
        ['describedBy', 'described_by'],
        ['halfStars', 'half_stars'],
        ...HOTEL_FACT_ENTRIES.map(([fact, { column }]) => [fact, column] as const),
      ],
    },
    flights: {
      table: 'flight',
      names: [
        ...same('id', 'number', 'airline', 'origin', 'destination'),
        ['departureMinute', 'departure_minute'],
        ['durationSeconds', 'duration_seconds'],
      ],
    },
    boards: { table: 'board', names: same('id', 'code') },
    rooms: { table: 'room', names: same('id', 'code', 'description') },
    parties: { table: 'party', names: same('id', 'adults', 'children', 'infants') },
  };

/** All dictionaries. Each comes after those that it refers to. */
export const DICTIONARIES = Object.keys(TABLES) as (keyof ReferenceData)[];

/** Replaces all dictionaries, in the caller's transaction. */
export async function writeReferenceTables(database: SqlSession, reference: ReferenceData): Promise<void> {
  for (const { table, columns, rows } of rowsOf(reference)) {
    await database.exec(`delete from ${table}`);
    await (await rowInserter(database, { table, columns })).insert(rows);
  }
}

/** Dictionary records, iterated because they may not fit into memory. */
export type ReferenceRecords = { readonly [K in keyof ReferenceData]?: Iterable<ReferenceData[K][number]> };

/** Adds records in the caller's transaction. Fails if an ID is in use. */
export async function addReferenceRecords(database: SqlSession, records: ReferenceRecords): Promise<void> {
  for (const { table, columns, rows } of rowsOf(records)) await database.addRows(table, columns, rows);
}

/** Updates existing records, in the caller's transaction. */
export async function updateReferenceRecords(database: SqlSession, records: ReferenceRecords): Promise<void> {
  for (const { table, columns, rows } of rowsOf(records)) {
    const update = columns.filter((column) => column !== 'id');
    await (await rowInserter(database, { table, columns, keys: ['id'], update })).insert(rows);
  }
}

/** The rows of records, by table. Tables come after those that they refer to. */
function* rowsOf(records: ReferenceRecords) {
  for (const dictionary of DICTIONARIES) {
    const { table, names } = TABLES[dictionary];
    const own = (records[dictionary] ?? []) as Iterable<object> as Iterable<Readonly<SqlRow>>;
    yield { table, columns: names.map(([, column]) => column), rows: valuesOf(own, names) };
  }
}

function* valuesOf(
  records: Iterable<Readonly<SqlRow>>,
  names: readonly (readonly [field: string, column: string])[],
): Generator<SqlValue[]> {
  for (const record of records) yield names.map(([field]): SqlValue => record[field] ?? null);
}

/** Iterates over a dictionary's records with IDs above `after`, in order of ID. */
export async function* walkReferenceTable<K extends keyof ReferenceData>(
  database: SqlSession,
  dictionary: K,
  after = 0,
): AsyncGenerator<ReferenceData[K][number]> {
  const records = database.prepare(`${selectOf(dictionary)} where id > ? order by id`);
  for await (const row of records.iterate(after)) yield recordOfRow(dictionary, row);
}

/** Reads all dictionaries completely, for code that writes them. */
export async function readReferenceTables(database: SqlSession): Promise<ReferenceData> {
  const tables = await Promise.all(
    DICTIONARIES.map(async (dictionary) => {
      const rows = await database.prepare(`${selectOf(dictionary)} order by id`).rows();
      return [dictionary, rows.map((row) => recordOfRow(dictionary, row))];
    }),
  );
  return Object.fromEntries(tables) as unknown as ReferenceData;
}

/** The dictionaries that are read record by record. */
export const RECORDS = ['hotels', 'flights', 'rooms'] as const satisfies readonly (keyof RecordData)[];

/** The dictionaries that are read completely. */
const NAMES = DICTIONARIES.filter((dictionary) => RECORDS.every((one) => one !== dictionary));

/** The statements that read `NamesAndCharges`. */
export const NAME_QUERIES: readonly string[] = [
  ...NAMES.map((dictionary) => `${selectOf(dictionary)} order by id`),
  ...[CHARGES_NOTE, SAME_HOTELS_NOTE].map((name) => `select value from note where name = '${name}'`),
  `select substr(name, ${STANDING_NOTE.length + 1}), value from note where name like '${STANDING_NOTE}%'`,
];

/** Makes the data from the rows that `NAME_QUERIES` return. */
export function nameDataOf(tables: readonly (readonly SqlValue[])[][]): NamesAndCharges {
  const names = NAMES.map((dictionary, at) => [
    dictionary,
    (tables[at] ?? []).map((row) => recordOfRow(dictionary, row)),
  ]);
  const charges = storedCharges(noteValue(tables[NAMES.length] ?? []));
  const sameHotels: unknown = JSON.parse(noteValue(tables[NAMES.length + 1] ?? []) ?? '[]');
  const standings = new Map(tables[NAMES.length + 2] as [string, PriceStanding][] | undefined);
  const others = { charges, sameHotels, standings };
  return { ...Object.fromEntries(names), ...others } as unknown as NamesAndCharges;
}

/** A query for a dictionary's records, to which a condition can be appended. */
export function selectOf(dictionary: keyof ReferenceData): string {
  const { table, names } = TABLES[dictionary];
  return `select ${names.map(([, column]) => column).join(', ')} from ${table}`;
}

/** The record in a row that `selectOf` returned. Safe, because only values of these types were written. */
export function recordOfRow<K extends keyof ReferenceData>(
  dictionary: K,
  row: readonly SqlValue[],
): ReferenceData[K][number] {
  const { names } = TABLES[dictionary];
  return Object.fromEntries(
    names.map(([field], at) => [field, row[at]]),
  ) as unknown as ReferenceData[K][number];
}

function same<const F extends string>(...fields: F[]): (readonly [F, F])[] {
  return fields.map((field) => [field, field]);
}
