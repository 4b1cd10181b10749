import type { DatabaseSync } from 'node:sqlite';
import { type Party, partyCode } from '../../../domain/party.ts';
import { recordOf } from '../../inventory/catalogue.ts';
import type { FlightRecord, OfferRow, ReferenceData } from '../../inventory/inventory.ts';
import { CHARGES_NOTE } from '../../inventory/inventory-notes.ts';
import { shownMinute } from '../../inventory/local-time.ts';
import { offerCharges, statedCharge, storedCharges } from '../../inventory/offer-charges.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import {
  addReferenceRecords,
  DICTIONARIES,
  type ReferenceRecords,
  recordOfRow,
  selectOf,
} from '../../inventory/tables/reference-tables.ts';
import { memoizeWeak } from '../../lib/memoize.ts';
import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import type { FeedAirports } from './feed-airports.ts';
import { feedHotels, nameKey, type UnreadLines } from './feed-hotels.ts';
import type { FeedFlight, FeedPackage } from './feed-package.ts';
import type { FeedPlace } from './feed-places.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { type KeyOf, recordIds } from './record-ids.ts';

export type FeedDictionaries = Awaited<ReturnType<typeof feedDictionaries>>;

/** A transaction that adds records to the store while the feed is read. During it, no other writer adds any. */
export type RecordTransaction = <T>(work: (tx: SqlSession) => Promise<T>) => Promise<T>;

export interface DictionaryOptions {
  provider: HolidayProvider;
  airports: FeedAirports;
  isChanges: boolean;
  /** Null: new records stay in `local` until the import is applied. Until then, no other writer may add any. */
  transaction: RecordTransaction | null;
  /** The lines of the feed that are not read; null: none. */
  unread?: () => UnreadLines | null;
  /** Called after each batch of records read from the store. */
  onWalked: () => Promise<void>;
}

type FeedPlaceNames = Pick<FeedPlace, 'country' | 'region' | 'resort'>;

/** The ids of a place. */
export type PlaceIds = Record<keyof FeedPlaceNames, number>;

type Tables = { [K in keyof ReferenceData]: ReturnType<typeof recordIds<K>> };

/** Maps a feed's names and codes to the store's ids. `local` is a database of this import alone. */
export async function feedDictionaries(
  store: SqlDatabase,
  local: DatabaseSync,
  { provider: described, airports, isChanges, transaction, unread = () => null, onWalked }: DictionaryOptions,
) {
  const { code, name, linkTemplate, hotelCodes } = described;
  /** 0, which no provider has, until the id is known. */
  let provider = 0;
  /** Whether the feed has new records. */
  let isAny = false;

  const table = <K extends keyof ReferenceData>(
    dictionary: K,
    keyOf: KeyOf<K>,
    onRead: (record: ReferenceData[K][number]) => unknown = () => {},
  ) => {
    const onAdded = () => {
      isAny = true;
    };
    return recordIds(local, dictionary, {
      keyOf,
      isKept: transaction === null,
      onAdded,
      onRead,
      onWalked,
    });
  };

  /** Countries by id; then places and parties of the store and the feed, because changes leave packages out. */
  const countries = new Map<number, string>();
  const regions = new Map<number, Omit<FeedPlaceNames, 'resort'>>();
  const places = new Map<number, FeedPlaceNames>();
  const parties = new Map<number, Party>();

  // Each table comes after those that it refers to.
  const tables: Tables = {
    countries: table(
      'countries',
      ({ name }) => nameKey(name),
      ({ id, name }) => countries.set(id, name),
    ),
    regions: table(
      'regions',
      ({ country, name }) => `${country} ${nameKey(name)}`,
      ({ id, country, name }) => regions.set(id, { country: recordOf(countries, country), region: name }),
    ),
    resorts: table(
      'resorts',
      ({ region, name }) => `${region} ${nameKey(name)}`,
      ({ id, region, name }) => places.set(id, { ...recordOf(regions, region), resort: name }),
    ),
    airports: table('airports', ({ code }) => code),
    providers: table('providers', ({ code }) => code),
    hotels: table(
      'hotels',
      ({ provider, code }) => `${provider ?? ''} ${code}`,
      (hotel) => hotels.know(hotel),
    ),
    flights: table('flights', flightKey),
    boards: table('boards', ({ code }) => code),
    rooms: table('rooms', ({ code }) => code),
    parties: table('parties', partyCode, (party) => parties.set(party.id, party)),
  };
  const hotels = feedHotels(local, {
    provider: () => provider,
    hotelCodes,
    isChanges,
    idOf: tables.hotels.idOf,
    unread,
  });

  const stored = await store.read(async (tx) => {
    const known = await tx.prepare(`${selectOf('providers')} where code = ?`).row(code);
    const record = known === undefined ? null : recordOfRow('providers', known);
    provider = record?.id ?? 0;
    for (const one of Object.values(tables)) await one.readNew(tx);
    return record;
  });

  /** Runs work that adds records: all of them, or none if it fails. */
  async function adding<T>(work: () => T): Promise<T> {
    if (transaction === null) return work();
    return transaction(async (tx) => {
      for (const one of Object.values(tables)) await one.readNew(tx);
      const result = work();
      await addReferenceRecords(tx, addedTo(tables));
      return result;
    });
  }

  const ownRecord = { code, name, linkTemplate };
  provider = tables.providers.find(ownRecord) ?? (await adding(() => tables.providers.idOf(ownRecord)));
  const isProviderChanged = stored !== null && (stored.name !== name || stored.linkTemplate !== linkTemplate);
  const placeOf = memoizeWeak(
    ({ country: inCountry, region: inRegion, resort }: FeedPlaceNames): PlaceIds => {
      const country = tables.countries.idOf({ name: inCountry });
      if (!countries.has(country)) countries.set(country, inCountry);
      const region = tables.regions.idOf({ country, name: inRegion });
      return { country, region, resort: tables.resorts.idOf({ region, name: resort }) };
    },
  );
  const charges = offerCharges(storedCharges(await readNote(store, CHARGES_NOTE)), {
    placeOf: (id) => recordOf(places, id),
    partyOf: (id) => recordOf(parties, id),
  });

  function airportOf(iata: string | null): number | null {
    if (iata === null) return null;
    const found = airports.find(iata);
    if (found === undefined) throw new Error(`Unknown airport ${iata}`);
    return tables.airports.idOf({ code: iata, name: found.name, timezone: found.timezone });
  }

  function flightRecord(flight: FeedFlight): Omit<FlightRecord, 'id'> {
    const { number, airline, departureMinute, durationSeconds } = flight;
    const ends = { origin: airportOf(flight.origin), destination: airportOf(flight.destination) };
    return { number, airline, ...ends, departureMinute, durationSeconds };
  }

  const flightOf = (flight: FeedFlight): number => tables.flights.idOf(flightRecord(flight));

  /** Whether the store has all records of a package. */
  function isKnown({
    place,
    hotel,
    airport,
    board,
    room,
    outbound,
    inbound,
    ...offer
  }: FeedPackage): boolean {
    const country = tables.countries.find({ name: place.country });
    const region = country && tables.regions.find({ country, name: place.region });
    const flights = [outbound, inbound];
    return (
      region !== undefined &&
      tables.resorts.find({ region, name: place.resort }) !== undefined &&
      hotels.isKnown(hotel) &&
      [airport, ...flights.flatMap(({ origin, destination }) => [origin, destination])].every(
        (iata) => iata === null || tables.airports.find({ code: iata, name: '', timezone: '' }) !== undefined,
      ) &&
      flights.every((flight) => tables.flights.find(flightRecord(flight)) !== undefined) &&
      tables.boards.find({ code: board }) !== undefined &&
      tables.rooms.find(room) !== undefined &&
      tables.parties.find(offer) !== undefined
    );
  }

  function rowOf(offer: FeedPackage, seenAt: number) {
    const { resort } = placeOf(offer.place);
    if (!places.has(resort)) places.set(resort, offer.place);
    const { record: hotel, problems, remarks, isExact } = hotels.of(offer, resort);
    const isRefused = problems.length > 0;
    const isDeleted = isRefused || offer.isDeleted;
    if (isRefused && !isChanges) return { row: null, isDeleted, problems, remarks, isExact };
    // A deleted package is in the resort where the store has its hotel.
    const place = placeOf(recordOf(places, hotel.resort));
    const { adults, children, infants } = offer;
    const party = tables.parties.idOf({ adults, children, infants });
    if (!parties.has(party)) parties.set(party, { adults, children, infants });
    const row: OfferRow = [
      offer.departureDay,
      offer.nights,
      party,
      place.country,
      place.region,
      place.resort,
      airportOf(offer.airport) ?? 0,
      hotel.id,
      tables.boards.idOf({ code: offer.board }),
      tables.rooms.idOf(offer.room),
      provider,
      offer.price,
      offer.priceBefore,
      hotel.halfStars,
      shownMinute(offer.outbound.departureMinute ?? 0),
      flightOf(offer.outbound),
      flightOf(offer.inbound),
      offer.luggage,
      offer.expiresAt,
      seenAt,
      offer.link,
      offer.localCharges === null ? 0 : statedCharge(offer.localCharges),
      offer.extras,
    ];
    return { row, isDeleted, problems, remarks, isExact };
  }

  return {
    provider,
    /** Whether the provider is new to the store. */
    isNewProvider: stored === null,
    /** The name of a country, and the names of a resort's place, as in the store if it has them. */
    countryOf: (id: number) => recordOf(countries, id),
    placeOf: (resort: number) => recordOf(places, resort),
    /**
     * Rows of offers, seen at `seenAt` (minutes since 1970). Offers with problems, because their hotel code has two
     * descriptions, have none, but those of changes have one that deletes the package.
     */
    async rowsOf(offers: readonly FeedPackage[], seenAt: number) {
      const known = transaction === null ? offers.length : offers.findIndex((offer) => !isKnown(offer));
      const rows = offers.slice(0, known < 0 ? offers.length : known).map((offer) => rowOf(offer, seenAt));
      if (rows.length === offers.length) return rows;
      const others = offers.slice(rows.length);
      return [...rows, ...(await adding(() => others.map((offer) => rowOf(offer, seenAt))))];
    },
    /** The row with the half stars that the feed states for its hotel, and with its local charge. */
    corrected(row: OfferRow): OfferRow {
      const halfStars = hotels.newHalfStars(row[OFFER.hotel]);
      const described = halfStars === undefined ? row : row.with(OFFER.halfStars, halfStars);
      return charges.charged(described as OfferRow);
    },
    unsettled: hotels.unsettled,
    restarred: hotels.restarred,
    /** The new places of hotels that the store has in another resort. */
    moved: () =>
      new Map([...hotels.moved].map(([hotel, resort]) => [hotel, placeOf(recordOf(places, resort))])),
    hasChanges: () => isAny || isProviderChanged || hotels.updates().length > 0,
    /** New records for the store. */
    additions: () => addedTo(tables),
    /** Records that the feed describes differently from the store. Call it after the feed's last row. */
    updates: (): ReferenceRecords => ({
      providers: isProviderChanged ? [{ id: provider, code, name, linkTemplate }] : [],
      hotels: hotels.updates(),
    }),
  };
}

function addedTo(tables: Tables): ReferenceRecords {
  return Object.fromEntries(DICTIONARIES.map((dictionary) => [dictionary, tables[dictionary].added()]));
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  // The airline's name comes last because it may contain the separator.
  return `${number}|${origin}|${destination}|${departureMinute}|${durationSeconds}|${airline}`;
}
