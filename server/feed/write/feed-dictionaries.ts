import { shownMinute } from '../../package-search/local-time.ts';
import { partyCode } from '../../package-search/offer-codes.ts';
import type { FlightRecord, HotelRecord, OfferRow, ReferenceData } from '../../storage/inventory.ts';
import type { FeedAirports } from '../feed-airports.ts';
import type { FeedFlight, FeedPackage } from '../feed-package.ts';
import type { ProviderSetting } from '../provider-settings.ts';
import type { Problem } from '../raw-row.ts';
import { nameKey, otherDescription } from './hotel-description.ts';
import { numberedRecords } from './numbered-records.ts';

/** Gives a feed's names and codes their ids, those of the store where it has them and new ones behind those. */
export interface FeedDictionaries {
  /** The provider's id. */
  readonly provider: number;
  /** `seenAt` is in minutes since 1970. Refused: one hotel code in two places, or with two names or stars. */
  rowOf(
    offer: FeedPackage,
    seenAt: number,
  ):
    | { kind: 'row'; row: OfferRow; remarks: readonly Problem[] }
    | { kind: 'refused'; problems: readonly Problem[] };
  /** What the store does not have yet, or has otherwise. */
  changes(): Partial<ReferenceData>;
}

interface DescribedHotel {
  record: HotelRecord;
  /** Why the row cannot be this hotel's. */
  problems: readonly Problem[];
  remarks: readonly Problem[];
}

/** `reference` is what the store has; nobody else may add to it before the changes are written. */
export function feedDictionaries(
  reference: ReferenceData,
  setting: ProviderSetting,
  airportsKnown: FeedAirports,
): FeedDictionaries {
  const countries = numberedRecords(reference.countries, ({ name }) => nameKey(name));
  const regions = numberedRecords(reference.regions, ({ country, name }) => `${country} ${nameKey(name)}`);
  const resorts = numberedRecords(reference.resorts, ({ region, name }) => `${region} ${nameKey(name)}`);
  const airports = numberedRecords(reference.airports, ({ code }) => code);
  const providers = numberedRecords(reference.providers, ({ code }) => code);
  const hotels = numberedRecords(reference.hotels, ({ provider, code }) => `${provider ?? ''} ${code}`);
  const flights = numberedRecords(reference.flights, flightKey);
  const boards = numberedRecords(reference.boards, ({ code }) => code);
  const rooms = numberedRecords(reference.rooms, ({ code }) => code);
  const parties = numberedRecords(reference.parties, partyCode);

  const provider = providers.put({
    code: setting.code,
    name: setting.name,
    linkTemplate: setting.linkTemplate,
  });
  const owner = setting.hotelCodes === 'own' ? provider : null;
  const places = new Map<string, { country: number; region: number; resort: number }>();
  /** Hotels that this feed has named, with their stars. */
  const named = new Map<number, HotelRecord>();
  const heldHotels = reference.hotels.reduce((last, { id }) => Math.max(last, id), 0);

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
    const described = { ...hotel, resort, provider: owner };
    const id = hotels.idOf(described);
    const isOurs = owner !== null || id > heldHotels;
    const known = named.get(id);
    if (known !== undefined) {
      const problems = isOurs ? otherDescription(known, hotel, 'in the feed') : [];
      return { record: known, problems, remarks: [] };
    }
    const where = owner === null ? 'by another provider' : 'in the store';
    const remarks = otherDescription(hotels.get(id), hotel, where);
    if (owner !== null) hotels.put(described);
    const record = hotels.get(id);
    named.set(id, record);
    return { record, problems: [], remarks };
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
    changes: () => ({
      countries: countries.changes(),
      regions: regions.changes(),
      resorts: resorts.changes(),
      airports: airports.changes(),
      providers: providers.changes(),
      hotels: hotels.changes(),
      flights: flights.changes(),
      boards: boards.changes(),
      rooms: rooms.changes(),
      parties: parties.changes(),
    }),
  };
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  return [number, airline, origin, destination, departureMinute, durationSeconds].join('|');
}
