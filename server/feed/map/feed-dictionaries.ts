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
import { inSnapshot } from '../../storage/in-snapshot.ts';
import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { FeedAirports } from './feed-airports.ts';
import { feedHotels, nameKey } from './feed-hotels.ts';
import type { FeedFlight, FeedPackage } from './feed-package.ts';
import type { FeedPlace } from './feed-places.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { type KeyOf, recordIds } from './record-ids.ts';

export type FeedDictionaries = ReturnType<typeof feedDictionaries>;

/** Transactions that add records to the store while the feed is read. During one, no other writer adds any. */
export type RecordTransaction = Pick<SqlDatabase, 'begin' | 'commit' | 'rollback'>;

export interface DictionaryOptions {
  provider: HolidayProvider;
  airports: FeedAirports;
  /** Null: new records stay in `local` until the import is applied. Until then, no other writer may add any. */
  transaction: RecordTransaction | null;
  /** Called for each record read from the store. */
  onWalked: () => void;
}

type Tables = { [K in keyof ReferenceData]: ReturnType<typeof recordIds<K>> };

/** Maps a feed's names and codes to the store's ids. `local` is a database of this import alone. */
export function feedDictionaries(
  store: SqlDatabase,
  local: SqlDatabase,
  { provider: described, airports, transaction, onWalked }: DictionaryOptions,
) {
  const { code, name, linkTemplate, hotelCodes } = described;
  /** 0, which no provider has, until the id is known. */
  let provider = 0;

  const table = <K extends keyof ReferenceData>(
    dictionary: K,
    keyOf: KeyOf<K>,
    onRead: (record: ReferenceData[K][number]) => void = onWalked,
  ) => {
    const isKept = transaction === null;
    return recordIds(store, local, dictionary, { keyOf, isKept, onMissing: () => adding.begin(), onRead });
  };

  // Each table comes after those that it refers to.
  const tables: Tables = {
    countries: table('countries', ({ name }) => nameKey(name)),
    regions: table('regions', ({ country, name }) => `${country} ${nameKey(name)}`),
    resorts: table('resorts', ({ region, name }) => `${region} ${nameKey(name)}`),
    airports: table('airports', ({ code }) => code),
    providers: table('providers', ({ code }) => code),
    hotels: table(
      'hotels',
      ({ provider, code }) => `${provider ?? ''} ${code}`,
      (hotel) => {
        onWalked();
        hotels.know(hotel);
      },
    ),
    flights: table('flights', flightKey),
    boards: table('boards', ({ code }) => code),
    rooms: table('rooms', ({ code }) => code),
    parties: table('parties', partyCode),
  };
  const hotels = feedHotels(local, { provider: () => provider, hotelCodes, idOf: tables.hotels.idOf });
  const adding = recordAdding(store, transaction, tables);

  const stored = inSnapshot(store, () => {
    const known = store.prepare(`${selectOf('providers')} where code = ?`).row(code);
    const record = known === undefined ? null : recordOfRow('providers', known);
    provider = record?.id ?? 0;
    for (const one of Object.values(tables)) one.readNew();
    return record;
  });
  provider = adding.within(() => tables.providers.idOf({ code, name, linkTemplate }));
  const isProviderChanged = stored !== null && (stored.name !== name || stored.linkTemplate !== linkTemplate);
  const placeOf = memoizeWeak(({ country: inCountry, region: inRegion, resort }: FeedPlace) => {
    const country = tables.countries.idOf({ name: inCountry });
    const region = tables.regions.idOf({ country, name: inRegion });
    return { country, region, resort: tables.resorts.idOf({ region, name: resort }) };
  });
  /** The places of the feed's rows, by id. */
  const places = new Map<number, FeedPlace>();
  const parties = new Map<number, Party>();
  const charges = offerCharges(storedCharges(readNote(store, CHARGES_NOTE)), {
    placeOf: (id) => recordOf(places, id),
    partyOf: (id) => recordOf(parties, id),
  });

  function airportOf(iata: string | null): number | null {
    if (iata === null) return null;
    const found = airports.find(iata);
    if (found === undefined) throw new Error(`Unknown airport ${iata}`);
    return tables.airports.idOf({ code: iata, name: found.name, timezone: found.timezone });
  }

  function flightOf(flight: FeedFlight): number {
    const { number, airline, departureMinute, durationSeconds } = flight;
    const ends = { origin: airportOf(flight.origin), destination: airportOf(flight.destination) };
    return tables.flights.idOf({ number, airline, ...ends, departureMinute, durationSeconds });
  }

  function rowOf(offer: FeedPackage, seenAt: number) {
    const place = placeOf(offer.place);
    const { record: hotel, problems, remarks } = hotels.of(offer.hotel, place.resort);
    if (problems.length > 0) return { offer, row: null, problems, remarks };
    const { adults, children, infants } = offer;
    const party = tables.parties.idOf({ adults, children, infants });
    places.set(place.resort, offer.place);
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
    ];
    return { offer, row, problems, remarks };
  }

  return {
    provider,
    /** Whether the provider is new to the store. */
    isNewProvider: stored === null,
    /** Rows of offers, seen at `seenAt` (minutes since 1970); null for a hotel code with two descriptions. */
    rowsOf: (offers: readonly FeedPackage[], seenAt: number) =>
      adding.within(() => offers.map((offer) => rowOf(offer, seenAt))),
    /** The row with the half stars that a later line states for its hotel, and with its local charge. */
    corrected(row: OfferRow): OfferRow {
      const halfStars = hotels.laterHalfStars(row[OFFER.hotel]);
      const described = halfStars === undefined ? row : row.with(OFFER.halfStars, halfStars);
      return charges.charged(described as OfferRow);
    },
    hasChanges: () => adding.isAny() || isProviderChanged || hotels.updates().length > 0,
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

/** Adds the new records of a batch to the store, unless they stay local. */
function recordAdding(store: SqlDatabase, transaction: RecordTransaction | null, tables: Tables) {
  let isOpen = false;
  let isAny = false;
  return {
    isAny: () => isAny,
    /** Called before the first record is added. */
    begin(): void {
      isAny = true;
      if (transaction === null || isOpen) return;
      isOpen = true;
      transaction.begin();
    },
    /** Runs work that may add records: all of them, or none if it fails. */
    within<T>(work: () => T): T {
      try {
        const result = work();
        if (isOpen) {
          addReferenceRecords(store, addedTo(tables));
          transaction?.commit();
        }
        return result;
      } catch (error) {
        if (isOpen) transaction?.rollback();
        throw error;
      } finally {
        isOpen = false;
      }
    },
  };
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  // The airline's name comes last because it may contain the separator.
  return `${number}|${origin}|${destination}|${departureMinute}|${durationSeconds}|${airline}`;
}
