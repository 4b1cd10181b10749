import { foldText } from '../../../domain/fold-text.ts';
import { shownMinute } from '../../package-search/local-time.ts';
import { partyCode } from '../../package-search/offer-codes.ts';
import type { FlightRecord, HotelRecord, OfferRow, ReferenceData } from '../../storage/inventory.ts';
import type { FeedAirports } from '../feed-airports.ts';
import type { FeedFlight, FeedPackage } from '../feed-package.ts';
import type { ProviderSetting } from '../provider-settings.ts';
import type { Problem } from '../raw-row.ts';
import { numberedRecords } from './numbered-records.ts';

/** Gives a feed's names and codes their ids, those of the store where it has them and new ones behind those. */
export interface FeedDictionaries {
  /** The provider's id. */
  readonly provider: number;
  /** `seenAt` is in minutes since 1970. A problem: one hotel code in two places. */
  rowOf(
    offer: FeedPackage,
    seenAt: number,
  ): { kind: 'row'; row: OfferRow } | { kind: 'refused'; problem: Problem };
  /** What the store does not have yet, or has otherwise. */
  changes(): Partial<ReferenceData>;
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

  /** The first line that names a hotel describes it; of a shared code, the first feed. */
  function hotelOf({ hotel }: FeedPackage, resort: number): HotelRecord {
    const described = { ...hotel, resort, provider: owner };
    const id = hotels.idOf(described);
    const known = named.get(id);
    if (known !== undefined) return known;
    if (owner !== null) hotels.put(described);
    const record = hotels.get(id);
    named.set(id, record);
    return record;
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
      const hotel = hotelOf(offer, place.resort);
      if (hotel.resort !== place.resort) {
        const reason = 'is a hotel that stands in another resort elsewhere in the feed or in the store';
        return {
          kind: 'refused',
          problem: { field: 'HotelIdentifierCode', value: offer.hotel.code, reason },
        };
      }
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
      return { kind: 'row', row };
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

/** Names are the same whatever their case and accents; those of nothing but signs are compared as they are. */
function nameKey(name: string): string {
  return foldText(name) || name.toLowerCase();
}

function flightKey(flight: Omit<FlightRecord, 'id'>): string {
  const { number, airline, origin, destination, departureMinute, durationSeconds } = flight;
  return [number, airline, origin, destination, departureMinute, durationSeconds].join('|');
}
