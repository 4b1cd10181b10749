import { partyCode } from '../../domain/party.ts';
import type { FlightRecord, OfferRow, ReferenceData } from '../inventory/inventory.ts';
import { shownMinute } from '../inventory/local-time.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { type ReferenceRecords, walkReferenceTable } from '../inventory/tables/reference-tables.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { FeedAirports } from './feed-airports.ts';
import type { FeedFlight, FeedPackage } from './feed-package.ts';
import type { FeedPlace } from './feed-places.ts';
import type { Problem } from './formats/raw-row.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { nameKey } from './hotel-description.ts';
import { hotelRecords, type StatedHotel } from './hotel-records.ts';
import { type NumberedRecords, numberedRecords } from './numbered-records.ts';
import type { Renumbering } from './write/feed-writing.ts';
import type { Staging } from './write/staging.ts';

export type OfferRowOrRefusal =
  | { kind: 'row'; row: OfferRow; remarks: readonly Problem[] }
  | { kind: 'refused'; problems: readonly Problem[] };

/** Maps a feed's names and codes to the ids of the store's dictionaries. New records get the next free ids. */
export interface FeedDictionaries {
  /** The provider's id. */
  readonly provider: number;
  /** Whether the store did not have the provider when the dictionaries were read. */
  readonly isNewProvider: boolean;
  /** `seenAt` is in minutes since 1970. Refused: a hotel code with two places or two descriptions. */
  rowOf(offer: FeedPackage, seenAt: number): OfferRowOrRefusal;
  /** Called after the feed's last row. Corrects staged rows by what later lines have said of their hotels. */
  end(): void;
  hasChanges(): boolean;
  /** Records that are new. */
  additions(): ReferenceRecords;
  /** Records of the store that the feed describes anew. */
  updates(): ReferenceRecords;
  /** Numbers new records again after another import has stored some. */
  renumber(): Renumbering;
  /** The number of records in memory. */
  held(): number;
}

export interface DictionaryOptions {
  provider: HolidayProvider;
  airports: FeedAirports;
  /** Each cache holds at most twice this many records; the rest are in the staging database. */
  most?: number;
  /** Called for each of the store's records that is read. */
  onWalked: () => void;
}

/** Three times as many took about 60 MB more and were no faster. */
const MOST_HELD = 10_000;

/** Dictionaries whose records a feed may describe anew. */
const STATED: ReadonlySet<keyof ReferenceData> = new Set(['providers', 'hotels'] as const);

/** `store` is not written. Its dictionaries must not change until `additions` are written. */
export function feedDictionaries(
  store: SqlDatabase,
  staging: Staging,
  { provider: described, airports, most = MOST_HELD, onWalked }: DictionaryOptions,
): FeedDictionaries {
  const tables = openTables(store, staging, most, onWalked);
  const { code, name, linkTemplate } = described;
  const provider = stateProvider(tables.providers, { code, name, linkTemplate });
  const places = placeIds(tables, most);
  const { hotelCodes } = described;
  const hotels = hotelRecords(tables.hotels, staging.database, { provider, hotelCodes, most });

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

  return {
    provider,
    isNewProvider: provider > tables.providers.lastKnown,
    rowOf(offer, seenAt) {
      const place = places.of(offer.place);
      const { record: hotel, problems, remarks } = hotels.of(offer.hotel, place.resort);
      if (problems.length > 0) return { kind: 'refused', problems };
      const { adults, children, infants } = offer;
      const row: OfferRow = [
        offer.departureDay,
        offer.nights,
        tables.parties.idOf({ adults, children, infants }),
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
      ];
      return { kind: 'row', row, remarks };
    },
    end() {
      hotels.end();
      staging.correct((row) => {
        const halfStars = hotels.laterHalfStars(row[OFFER.hotel]);
        return halfStars === null ? row : (row.with(OFFER.halfStars, halfStars) as unknown as OfferRow);
      });
    },
    renumber: () => renumber(store, tables),
    hasChanges: () => Object.values(tables).some((table) => table.hasChanges()),
    additions: () =>
      Object.fromEntries(Object.entries(tables).map(([table, { additions }]) => [table, additions()])),
    updates: () =>
      Object.fromEntries(Object.entries(tables).map(([table, { updates }]) => [table, updates()])),
    held: () =>
      Object.values(tables).reduce((sum, table) => sum + table.held(), places.held() + hotels.held()),
  };
}

type Tables = { [K in Exclude<keyof ReferenceData, 'hotels'>]: NumberedRecords<ReferenceData[K][number]> } & {
  hotels: NumberedRecords<StatedHotel>;
};

/** One table for each of the store's dictionaries, with the store's records. */
function openTables(store: SqlDatabase, staging: Staging, most: number, onWalked: () => void): Tables {
  function table<K extends keyof ReferenceData>(
    name: K,
    keyOf: (record: Omit<ReferenceData[K][number], 'id'>) => string,
  ): NumberedRecords<ReferenceData[K][number]> {
    function* known(): Generator<ReferenceData[K][number]> {
      for (const record of walkReferenceTable(store, name)) {
        onWalked();
        yield record;
      }
    }
    return numberedRecords(staging.database, {
      name,
      known: known(),
      keyOf,
      isStated: STATED.has(name),
      most,
    });
  }

  return {
    countries: table('countries', ({ name }) => nameKey(name)),
    regions: table('regions', ({ country, name }) => `${country} ${nameKey(name)}`),
    resorts: table('resorts', ({ region, name }) => `${region} ${nameKey(name)}`),
    airports: table('airports', ({ code }) => code),
    providers: table('providers', ({ code }) => code),
    hotels: table('hotels', ({ provider, code }) => `${provider ?? ''} ${code}`),
    flights: table('flights', flightKey),
    boards: table('boards', ({ code }) => code),
    rooms: table('rooms', ({ code }) => code),
    parties: table('parties', partyCode),
  };
}

/** The feed's provider as `providers.json` describes it. Returns its id. */
function stateProvider(
  providers: Tables['providers'],
  described: Omit<ReferenceData['providers'][number], 'id'>,
): number {
  const { record } = providers.recordOf(described);
  const { id, name, linkTemplate } = record;
  const isChanged = name !== described.name || linkTemplate !== described.linkTemplate;
  providers.state({ id, ...described }, isChanged);
  return id;
}

/** Each dictionary after those that its records refer to. */
function renumber(store: SqlDatabase, tables: Tables): Renumbering {
  function again<K extends keyof ReferenceData>(
    name: K,
    resolve: (record: ReferenceData[K][number]) => ReferenceData[K][number] = (record) => record,
    onMet: (own: ReferenceData[K][number], stored: ReferenceData[K][number]) => void = () => {},
  ) {
    const table: NumberedRecords<ReferenceData[K][number]> = tables[name];
    return table.renumber(walkReferenceTable(store, name, table.lastKnown), resolve, onMet);
  }
  const of = (ids: { idOf(id: number): number }, id: number | null) => (id === null ? null : ids.idOf(id));
  const countries = again('countries');
  const regions = again('regions', (region) => ({ ...region, country: countries.idOf(region.country) }));
  const resorts = again('resorts', (resort) => ({ ...resort, region: regions.idOf(resort.region) }));
  const airports = again('airports');
  const providers = again('providers');
  let isElsewhere = false;
  const hotels = again(
    'hotels',
    (hotel) => ({
      ...hotel,
      resort: resorts.idOf(hotel.resort),
      provider: of(providers, hotel.provider),
      describedBy: of(providers, hotel.describedBy),
    }),
    (own, stored) => {
      isElsewhere ||= own.resort !== stored.resort;
    },
  );
  if (isElsewhere) return { kind: 'conflict' };
  const flights = again('flights', (flight) => ({
    ...flight,
    origin: of(airports, flight.origin),
    destination: of(airports, flight.destination),
  }));
  const [boards, rooms, parties] = [again('boards'), again('rooms'), again('parties')];
  const columns = [
    [OFFER.party, parties],
    [OFFER.country, countries],
    [OFFER.region, regions],
    [OFFER.resort, resorts],
    [OFFER.airport, airports],
    [OFFER.hotel, hotels],
    [OFFER.board, boards],
    [OFFER.room, rooms],
    [OFFER.provider, providers],
    [OFFER.outboundFlight, flights],
    [OFFER.inboundFlight, flights],
  ] as const;
  if (columns.every(([, ids]) => ids.isSame)) return { kind: 'same' };
  return {
    kind: 'moved',
    map(row) {
      const renumbered = [...row];
      for (const [column, ids] of columns) renumbered[column] = ids.idOf(Number(row[column]));
      return renumbered as unknown as OfferRow;
    },
  };
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  // The airline's name comes last because it may contain the separator.
  return `${number}|${origin}|${destination}|${departureMinute}|${durationSeconds}|${airline}`;
}

interface PlaceIds {
  country: number;
  region: number;
  resort: number;
}

function placeIds({ countries, regions, resorts }: Tables, most: number) {
  const held = boundedCache<FeedPlace, PlaceIds>(most);
  return {
    of(place: FeedPlace): PlaceIds {
      const known = held.get(place);
      if (known !== undefined) return known;
      const country = countries.idOf({ name: place.country });
      const region = regions.idOf({ country, name: place.region });
      const resort = resorts.idOf({ region, name: place.resort });
      const ids = { country, region, resort };
      held.set(place, ids);
      return ids;
    },
    held: () => held.size,
  };
}
