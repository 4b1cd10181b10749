import { buildCatalogue, type Catalogue } from '../inventory/catalogue.ts';
import type { NameData, OfferRow, RecordData } from '../inventory/inventory.ts';
import { OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import {
  NAME_QUERIES,
  nameDataOf,
  RECORDS,
  recordOfRow,
  selectOf,
} from '../inventory/tables/reference-tables.ts';
import { latestUsed } from '../lib/lru-cache.ts';
import type { AskStore, SearchStore } from './search-store.ts';

/**
 * The dictionaries of one version of the store. Names are read whole; of hotels, flights and rooms those that
 * answers needed lately are held, so that neither an import nor a large feed costs more than what is shown.
 */
export interface StoreState {
  /** Another one after every import. */
  readonly version: string;
  readonly catalogue: Catalogue;
  /** Sees to it that the catalogue has what these offers name, asking the state that they were found in. */
  lookUp(store: Pick<SearchStore, 'ask' | 'anyOf'>, offers: readonly OfferRow[]): Promise<void>;
  /** Takes records over that were looked up elsewhere. */
  keep(records: RecordData): void;
}

/** So many records of each dictionary are held, some 10 MB: many times what an answer of a hundred packages names. */
const HELD_RECORDS = 20_000;

/** Reads the names of a state. */
export async function readStoreState(version: string, ask: AskStore): Promise<StoreState> {
  const tables = await Promise.all(NAME_QUERIES.map((sql) => ask(sql, [])));
  return storeState(version, nameDataOf(tables));
}

export function storeState(version: string, names: NameData): StoreState {
  const hotels = latestUsed<RecordData['hotels'][number]>(HELD_RECORDS);
  const flights = latestUsed<RecordData['flights'][number]>(HELD_RECORDS);
  const rooms = latestUsed<RecordData['rooms'][number]>(HELD_RECORDS);

  function keep(records: RecordData): void {
    for (const hotel of records.hotels) hotels.set(hotel.id, hotel);
    for (const flight of records.flights) flights.set(flight.id, flight);
    for (const room of records.rooms) rooms.set(room.id, room);
  }

  return {
    version,
    catalogue: buildCatalogue(names, { hotels, flights, rooms }),
    async lookUp(store, offers) {
      const named = idsIn(offers);
      const missing = {
        hotels: named.hotels.filter((id) => hotels.get(id) === undefined),
        flights: named.flights.filter((id) => flights.get(id) === undefined),
        rooms: named.rooms.filter((id) => rooms.get(id) === undefined),
      };
      if (RECORDS.some((dictionary) => missing[dictionary].length > 0)) {
        keep(await readRecords(store, missing));
      }
    },
    keep,
  };
}

/** The records that offers name, read anew: what crosses to another thread with them. */
export function readRecordsOf(
  store: Pick<SearchStore, 'ask' | 'anyOf'>,
  offers: readonly OfferRow[],
): Promise<RecordData> {
  return readRecords(store, idsIn(offers));
}

async function readRecords(
  { ask, anyOf }: Pick<SearchStore, 'ask' | 'anyOf'>,
  ids: Ids,
): Promise<RecordData> {
  async function read<K extends keyof RecordData>(dictionary: K): Promise<RecordData[K][number][]> {
    if (ids[dictionary].length === 0) return [];
    const rows = await ask(`${selectOf(dictionary)} where ${anyOf('id')}`, [ids[dictionary]]);
    return rows.map((row) => recordOfRow(dictionary, row));
  }
  const [hotels, flights, rooms] = await Promise.all([read('hotels'), read('flights'), read('rooms')]);
  return { hotels, flights, rooms };
}

type Ids = Readonly<Record<keyof RecordData, readonly number[]>>;

const HOTEL = OFFER_COLUMNS.indexOf('hotel');
const ROOM = OFFER_COLUMNS.indexOf('room');
const OUTBOUND = OFFER_COLUMNS.indexOf('outbound_flight');
const INBOUND = OFFER_COLUMNS.indexOf('inbound_flight');

function idsIn(offers: readonly OfferRow[]): Ids {
  const hotels = new Set<number>();
  const flights = new Set<number>();
  const rooms = new Set<number>();
  for (const offer of offers) {
    hotels.add(offer[HOTEL] as number);
    rooms.add(offer[ROOM] as number);
    flights.add(offer[OUTBOUND] as number).add(offer[INBOUND] as number);
  }
  return { hotels: [...hotels], flights: [...flights], rooms: [...rooms] };
}
