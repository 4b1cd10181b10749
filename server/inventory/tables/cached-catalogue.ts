import { LRUCache } from 'lru-cache';
import { cacheOfBytes } from '../../lib/memoize.ts';
import type { ReadRows, RowReader } from '../../storage/sql-database.ts';
import { buildCatalogue, type Catalogue, type RecordLookUps } from '../catalogue.ts';
import {
  HOTEL_TEXTS,
  type HotelRecord,
  type NamesAndCharges,
  type OfferRow,
  type RecordData,
} from '../inventory.ts';
import { OFFER } from '../offer-columns.ts';
import { NAME_QUERIES, nameDataOf, recordOfRow, selectOf } from './reference-tables.ts';

/**
 * The dictionaries of one version of the store. Names are in memory. Hotels, flights and rooms are cached
 * only if used recently, so that memory depends on what visitors see, not on the size of the feeds.
 */
export interface CachedCatalogue extends Catalogue {
  /** Changes with every import. */
  readonly version: string;
  /** Reads the records of these offers that are not cached, in the same snapshot as the offers. */
  load(reader: RowReader, offers: readonly OfferRow[]): Promise<void>;
  /** The IDs of the records of these offers that are not cached. */
  missing(offers: readonly OfferRow[]): RecordIds;
  /** Adds records to the cache. */
  add(records: RecordData): void;
  /** The records with these IDs, however many, from the cache or the store. Missing ones are omitted. */
  records(reader: RowReader, ids: RecordIds): Promise<RecordLookUps>;
}

/**
 * The most bytes cached per dictionary. The records of a response's hundred packages take at most half a
 * megabyte, but an import's batch has 5,000 packages.
 */
const CACHED_BYTES = 12 * 2 ** 20;

/** The memory of a record without its texts, measured in characters. */
const RECORD_CHARACTERS = 75;

const CHARACTERS: { readonly [K in keyof RecordData]: (record: RecordData[K][number]) => number } = {
  hotels: (hotel) =>
    HOTEL_TEXTS.reduce(
      (sum, text) => sum + (hotel[text]?.length ?? 0),
      hotel.code.length + hotel.name.length,
    ),
  flights: ({ number, airline }) => number.length + airline.length,
  rooms: ({ code, description }) => code.length + description.length,
};

/** Callers must load a record before they read it. */
export function cachedCatalogue(version: string, names: NamesAndCharges): CachedCatalogue {
  const hotels = recordCache('hotels');
  const flights = recordCache('flights');
  const rooms = recordCache('rooms');

  function add(records: RecordData): void {
    for (const hotel of records.hotels) hotels.set(hotel.id, hotel);
    for (const flight of records.flights) flights.set(flight.id, flight);
    for (const room of records.rooms) rooms.set(room.id, room);
  }

  const missing = (offers: readonly OfferRow[]) => recordIds(offers, { hotels, flights, rooms });

  return {
    ...buildCatalogue(names, { hotels, flights, rooms }),
    version,
    async records(reader, ids) {
      const [ofHotels, ofFlights, ofRooms] = await Promise.all([
        recordsOf(reader, 'hotels', hotels, ids.hotels),
        recordsOf(reader, 'flights', flights, ids.flights),
        recordsOf(reader, 'rooms', rooms, ids.rooms),
      ]);
      return { hotels: ofHotels, flights: ofFlights, rooms: ofRooms };
    },
    async load(reader, offers) {
      add(await readRecords(reader, missing(offers)));
    },
    missing,
    add,
  };
}

type RecordCache<K extends keyof RecordData> = LRUCache<number, RecordData[K][number]>;

type RecordCaches = { readonly [K in keyof RecordData]: RecordCache<K> };

function recordCache<K extends keyof RecordData>(dictionary: K): RecordCache<K> {
  return cacheOfBytes<number, RecordData[K][number]>(
    CACHED_BYTES,
    (record) => RECORD_CHARACTERS + CHARACTERS[dictionary](record),
  );
}

/** Two, because a replica may be a version behind for a while. */
const CACHED_VERSIONS = 2;

/** The catalogues of the latest versions. Each is read once. */
export function catalogueVersions() {
  const cache = new LRUCache<string, Promise<CachedCatalogue>>({ max: CACHED_VERSIONS });
  let latest: CachedCatalogue | null = null;
  return {
    /** The last catalogue that `at` returned, or null. */
    latest: () => latest,
    /** The catalogue of a version. `rows` must read the store in that version. */
    async at(version: string, rows: ReadRows): Promise<CachedCatalogue> {
      if (latest?.version === version) return latest;
      const cached = cache.get(version);
      const reading = cached ?? readNames(rows).then((names) => cachedCatalogue(version, names));
      if (cached === undefined) cache.set(version, reading);
      try {
        latest = await reading;
        return latest;
      } catch (error) {
        // After a failure, the next search reads the names again.
        if (cache.get(version) === reading) cache.delete(version);
        throw error;
      }
    },
  };
}

async function readNames(rows: ReadRows): Promise<NamesAndCharges> {
  return nameDataOf(await Promise.all(NAME_QUERIES.map((sql) => rows(sql, []))));
}

/** Reads the records of offers from the store, for another thread. */
export function readRecordsOf(reader: RowReader, offers: readonly OfferRow[]): Promise<RecordData> {
  return readRecords(reader, recordIds(offers));
}

/** The hotels with one of these codes or ids, or in one of these resorts, in the order of their ids. */
export async function readHotelsBy(
  { rows, anyOf }: RowReader,
  which: { code: readonly string[] } | { id: readonly number[] } | { resort: readonly number[] },
): Promise<HotelRecord[]> {
  const [column = 'id', values = []] = Object.entries<readonly string[] | readonly number[]>(which)[0] ?? [];
  const found = await rows(`${selectOf('hotels')} where ${anyOf(column)} order by id`, [values]);
  return found.map((row) => recordOfRow('hotels', row));
}

export type RecordIds = Readonly<Record<keyof RecordData, readonly number[]>>;

async function readRecords(reader: RowReader, ids: RecordIds): Promise<RecordData> {
  const [hotels, flights, rooms] = await Promise.all([
    readSome(reader, 'hotels', ids.hotels),
    readSome(reader, 'flights', ids.flights),
    readSome(reader, 'rooms', ids.rooms),
  ]);
  return { hotels, flights, rooms };
}

async function readSome<K extends keyof RecordData>(
  { rows, anyOf }: RowReader,
  dictionary: K,
  ids: readonly number[],
): Promise<RecordData[K][number][]> {
  if (ids.length === 0) return [];
  const found = await rows(`${selectOf(dictionary)} where ${anyOf('id')}`, [ids]);
  return found.map((row) => recordOfRow(dictionary, row));
}

/** The records from the cache or, if it lacks them, from the store. */
async function recordsOf<K extends keyof RecordData>(
  reader: RowReader,
  dictionary: K,
  cache: RecordCache<K>,
  ids: readonly number[],
): Promise<Map<number, RecordData[K][number]>> {
  const found = new Map<number, RecordData[K][number]>();
  const unknown: number[] = [];
  for (const id of ids) {
    const record = cache.get(id);
    if (record === undefined) unknown.push(id);
    else found.set(id, record);
  }
  for (const record of await readSome(reader, dictionary, unknown)) {
    cache.set(record.id, record);
    found.set(record.id, record);
  }
  return found;
}

/** The IDs of the offers' records, except those in the caches. */
function recordIds(offers: readonly OfferRow[], cached: RecordCaches | null = null): RecordIds {
  const hotels = new Set<number>();
  const flights = new Set<number>();
  const rooms = new Set<number>();
  for (const offer of offers) {
    const { hotel, room, outboundFlight, inboundFlight } = OFFER;
    if (!cached?.hotels.get(offer[hotel])) hotels.add(offer[hotel]);
    if (!cached?.rooms.get(offer[room])) rooms.add(offer[room]);
    if (!cached?.flights.get(offer[outboundFlight])) flights.add(offer[outboundFlight]);
    if (!cached?.flights.get(offer[inboundFlight])) flights.add(offer[inboundFlight]);
  }
  return { hotels: [...hotels], flights: [...flights], rooms: [...rooms] };
}
