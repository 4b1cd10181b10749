import type { FlightRecord, HotelRecord, OfferRow, ReferenceData } from '../inventory/inventory.ts';
import { shownMinute } from '../inventory/local-time.ts';
import { partyCode } from '../inventory/offer-codes.ts';
import { type ReferenceRecords, walkReferenceTable } from '../inventory/tables/reference-tables.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { FeedAirports } from './feed-airports.ts';
import type { FeedFlight, FeedPackage } from './feed-package.ts';
import type { Problem } from './formats/raw-row.ts';
import type { HolidayProvider } from './holiday-providers.ts';
import { nameKey, otherDescription } from './hotel-description.ts';
import { type NumberedRecords, numberedRecords } from './numbered-records.ts';
import type { Staging } from './write/staging.ts';

/** Gives a feed's names and codes their ids, those of the store where it has them and new ones behind those. */
export interface FeedDictionaries {
  /** The provider's id. */
  readonly provider: number;
  /** `seenAt` is in minutes since 1970. A problem: one hotel code in two places. */
  rowOf(
    offer: FeedPackage,
    seenAt: number,
  ):
    | { kind: 'row'; row: OfferRow; remarks: readonly Problem[] }
    | { kind: 'refused'; problems: readonly Problem[] };
  hasChanges(): boolean;
  /** What the store does not have yet, or has otherwise. */
  changes(): ReferenceRecords;
  /** How many records the memory holds now. */
  held(): number;
}

interface DescribedHotel {
  record: HotelRecord;
  /** Why the row cannot be this hotel's. */
  problems: readonly Problem[];
  remarks: readonly Problem[];
}

export interface DictionarySetting {
  provider: HolidayProvider;
  airports: FeedAirports;
  /** How many records of one dictionary the memory holds, twice over; the rest stand in the staging. */
  most?: number;
  /** Told of every record of the store's that is read. */
  onWalked: () => void;
}

/** Enough for what comes again and again: three times as many took about 120 MB more, and no less time in one run each. */
const MOST_HELD = 30_000;

/** Dictionaries whose records say more than their keys, and may say it anew. */
const STATED: ReadonlySet<keyof ReferenceData> = new Set(['providers', 'hotels'] as const);

/** `store` is not written; nobody else may add to its dictionaries before the changes are. */
export function feedDictionaries(
  store: SqlDatabase,
  staging: Staging,
  { provider: setting, airports: airportsKnown, most = MOST_HELD, onWalked }: DictionarySetting,
): FeedDictionaries {
  function records<K extends keyof ReferenceData>(
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

  const countries = records('countries', ({ name }) => nameKey(name));
  const regions = records('regions', ({ country, name }) => `${country} ${nameKey(name)}`);
  const resorts = records('resorts', ({ region, name }) => `${region} ${nameKey(name)}`);
  const airports = records('airports', ({ code }) => code);
  const providers = records('providers', ({ code }) => code);
  const hotels = records('hotels', ({ provider, code }) => `${provider ?? ''} ${code}`);
  const flights = records('flights', flightKey);
  const boards = records('boards', ({ code }) => code);
  const rooms = records('rooms', ({ code }) => code);
  const parties = records('parties', partyCode);

  const all = { countries, regions, resorts, airports, providers, hotels, flights, boards, rooms, parties };

  const { code: providerCode, name: providerName, linkTemplate } = setting;
  const provider = providers.firstStated({ code: providerCode, name: providerName, linkTemplate }, true)
    .record.id;
  const owner = setting.hotelCodes === 'own' ? provider : null;
  const places = boundedCache<string, { country: number; region: number; resort: number }>(most);

  function placeOf({ country, region, resort }: FeedPackage) {
    const key = `${country}\n${region}\n${resort}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    const countryId = countries.idOf({ name: country });
    const regionId = regions.idOf({ country: countryId, name: region });
    const place = {
      country: countryId,
      region: regionId,
      resort: resorts.idOf({ region: regionId, name: resort }),
    };
    places.set(key, place);
    return place;
  }

  /**
   * The first line that names a hotel describes it; of a shared code, the first feed. A later line that says otherwise
   * is refused. What the store has otherwise is remarked on once.
   */
  function hotelOf({ hotel }: FeedPackage, resort: number): DescribedHotel {
    const { record, before } = hotels.firstStated({ ...hotel, resort, provider: owner }, owner !== null);
    if (before !== null) {
      const where = owner === null ? 'by another provider' : 'in the store';
      return { record, problems: [], remarks: otherDescription(before, hotel, where) };
    }
    const isOurs = owner !== null || !hotels.isKnown(record.id);
    return { record, problems: isOurs ? otherDescription(record, hotel, 'in the feed') : [], remarks: [] };
  }

  function airportOf(code: string | null): number | null {
    if (code === null) return null;
    const found = airportsKnown.find(code);
    if (found === undefined) throw new Error(`The airport ${code} was checked and is not known`);
    return airports.idOf({ code, name: found.name, timezone: found.timezone });
  }

  function flightOf(flight: FeedFlight): number {
    const { number, airline, departureMinute, durationSeconds } = flight;
    const ends = { origin: airportOf(flight.origin), destination: airportOf(flight.destination) };
    return flights.idOf({ number, airline, ...ends, departureMinute, durationSeconds });
  }

  return {
    provider,
    rowOf(offer, seenAt) {
      const place = placeOf(offer);
      const { record: hotel, problems, remarks } = hotelOf(offer, place.resort);
      if (hotel.resort !== place.resort) {
        const reason = 'is a hotel that stands in another resort elsewhere in the feed or in the store';
        return {
          kind: 'refused',
          problems: [{ field: 'HotelIdentifierCode', value: offer.hotel.code, reason }, ...problems],
        };
      }
      if (problems.length > 0) return { kind: 'refused', problems };
      const { adults, children, infants } = offer;
      const row: OfferRow = [
        offer.departureDay,
        offer.nights,
        parties.idOf({ adults, children, infants }),
        place.country,
        place.region,
        place.resort,
        airportOf(offer.airport) ?? 0,
        hotel.id,
        boards.idOf({ code: offer.board }),
        rooms.idOf(offer.room),
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
    hasChanges: () => Object.values(all).some((dictionary) => dictionary.hasChanges()),
    changes: () =>
      Object.fromEntries(Object.entries(all).map(([name, dictionary]) => [name, dictionary.changes()])),
    held: () => Object.values(all).reduce((sum, dictionary) => sum + dictionary.held(), places.size),
  };
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  // What an airline calls itself comes last: it may have any sign in it.
  return `${number}|${origin}|${destination}|${departureMinute}|${durationSeconds}|${airline}`;
}
