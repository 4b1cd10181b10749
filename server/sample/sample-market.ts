import { seaDistanceKm } from '../inventory/coast.ts';
import type { HotelRecord, ReferenceData } from '../inventory/inventory.ts';
import { readReference, type SampleResort } from '../inventory/reference-files.ts';
import { type CountryMarket, marketOf } from './country-markets.ts';
import { flightNetwork, type ServedFrom } from './flight-network.ts';
import { inventHotelName } from './hotel-names.ts';
import { hotelTexts } from './hotel-texts.ts';
import { boardFactor, hotelFactor } from './market-price.ts';
import { SAMPLE_PROVIDERS } from './providers.ts';
import { SAMPLE_PARTIES, SAMPLE_ROOMS } from './sample-parties.ts';
import { seededRandom } from './seeded-random.ts';

export interface SampleHotel {
  record: HotelRecord;
  /** IDs of boards in ascending order, with their price factors. */
  boards: readonly { id: number; factor: number }[];
  /** Indexes into `SAMPLE_PROVIDERS`. */
  providers: readonly number[];
  /** The hotel's price level relative to an average one in its country. */
  factor: number;
  /** The single supplement; see `PartyTerms`. */
  singleSupplement: number;
  canTakeChildren: boolean;
  /** Whether some of its rooms have free child places. */
  hasFreeChildPlaces: boolean;
}

export interface SampleDestination {
  country: number;
  region: number;
  resort: number;
  market: CountryMarket;
  /** In ascending order of ids. */
  hotels: readonly SampleHotel[];
  servedFrom: readonly ServedFrom[];
  /** How many hotels one airport sells on a day. Regions with few resorts have more. */
  breadth: number;
  /** The same for main airports, in the school holidays and for long stays. */
  peakBreadth: number;
}

export interface SampleMarket {
  seed: number;
  reference: ReferenceData;
  /** In the order of the store's key. */
  destinations: readonly SampleDestination[];
}

/** A region with this many resorts at one airport is popular: main airports sell this many of its hotels at peaks. */
const POPULAR_RESORTS = 3;
const POPULAR_HOTELS = 20;

const BOARDS = ['RO', 'SC', 'BB', 'HB', 'FB', 'AI'] as const;
/** The share of adults-only hotels, and that of hotels with free child places. */
const ADULTS_ONLY_SHARE = 0.12;
const FREE_CHILD_SHARE = 0.45;
/** The lowest and the highest single supplement. */
const SINGLE_SUPPLEMENTS = [0.25, 0.75] as const;
/** Cumulative shares of hotels by half stars. */
const STAR_SHARES: readonly [number, number][] = [
  [0.06, 4],
  [0.36, 6],
  [0.46, 7],
  [0.8, 8],
  [0.88, 9],
  [1, 10],
];

/** Generates the sample market without prices: places, hotels, providers and flights. */
export function sampleMarket(seed: number): SampleMarket {
  const { resorts, airports, routes } = readReference();
  const airportIds = new Map(airports.map(({ iata }, index) => [iata, index + 1]));
  const airportId = (iata: string) => airportIds.get(iata) ?? 0;
  const network = flightNetwork(routes, airports, airportId);
  const countries = idsByName(resorts.map(({ country }) => country));
  const regions = idsByName(resorts.map(({ country, region }) => `${country}\n${region}`));
  const regionSizes = Map.groupBy(resorts, ({ country, region }) => `${country}\n${region}`);
  const sharingAirports = Map.groupBy(resorts, (place) => `${place.region}\n${place.airports.join()}`);
  const countrySizes = Map.groupBy(resorts, ({ country }) => country);
  const taken = new Set<string>();
  const hotelsSoFar = { count: 0 };

  const placed = resorts
    .map((place) => ({
      place,
      country: countries.get(place.country) ?? 0,
      region: regions.get(`${place.country}\n${place.region}`) ?? 0,
    }))
    .sort((one, other) => one.country - other.country || one.region - other.region);
  const destinations = placed.map(({ place, country, region }, index): SampleDestination => {
    const regionSize = regionSizes.get(`${place.country}\n${place.region}`)?.length ?? 1;
    const countrySize = countrySizes.get(place.country)?.length ?? 1;
    const resort = index + 1;
    return {
      country,
      region,
      resort,
      market: marketOf(place.country, place.region),
      hotels: inventHotels(seed, place, resort, taken, hotelsSoFar),
      servedFrom: network.servedFrom(place),
      breadth: breadthOf(regionSize, countrySize),
      peakBreadth: peakBreadthOf(sharingAirports.get(`${place.region}\n${place.airports.join()}`) ?? []),
    };
  });

  return {
    seed,
    destinations: normalised(destinations),
    reference: {
      countries: [...countries].map(([name, id]) => ({ id, name })),
      regions: [...regions].map(([key, id]) => {
        const [country = '', name = ''] = key.split('\n');
        return { id, country: countries.get(country) ?? 0, name };
      }),
      resorts: placed.map(({ place, region }, index) => ({ id: index + 1, region, name: place.resort })),
      airports: airports.map(({ iata, name, timezone }) => ({
        id: airportId(iata),
        code: iata,
        name,
        timezone,
      })),
      providers: SAMPLE_PROVIDERS.map(({ id, code, name, linkTemplate }) => ({
        id,
        code,
        name,
        linkTemplate,
      })),
      hotels: destinations.flatMap(({ hotels }) => hotels.map(({ record }) => record)),
      flights: network.flights,
      boards: BOARDS.map((code, index) => ({ id: index + 1, code })),
      rooms: SAMPLE_ROOMS,
      parties: SAMPLE_PARTIES.map(({ id, adults, children }) => ({ id, adults, children, infants: 0 })),
    },
  };
}

function breadthOf(regionSize: number, countrySize: number): number {
  const forRegion = Math.ceil(10 / regionSize);
  const forCountry = Math.ceil(13 / countrySize);
  return Math.max(3, Math.min(8, Math.max(forRegion, forCountry)));
}

function peakBreadthOf(resorts: readonly SampleResort[]): number {
  return resorts.length < POPULAR_RESORTS ? 0 : Math.ceil(POPULAR_HOTELS / resorts.length);
}

function idsByName(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index + 1]));
}

function inventHotels(
  seed: number,
  place: SampleResort,
  resort: number,
  taken: Set<string>,
  soFar: { count: number },
): SampleHotel[] {
  const count = 7 + 2 * place.popularity;
  return Array.from({ length: count }, (_, index) => {
    soFar.count += 1;
    return inventHotel(seed, place, resort, soFar.count, index, taken);
  });
}

function inventHotel(
  seed: number,
  place: SampleResort,
  resort: number,
  id: number,
  index: number,
  taken: Set<string>,
): SampleHotel {
  const random = (salt: number) => seededRandom(seed, resort, index, salt);
  const halfStars = STAR_SHARES.find(([share]) => random(1) < share)?.[1] ?? 8;
  const hasBeach = place.kind === 'beach' || place.kind === 'island';
  const beachKm = hasBeach ? 2.2 * random(2) ** 2 : null;
  const boards = BOARDS.map((code, position) => ({ id: position + 1, factor: boardFactor(code) })).filter(
    ({ id: board }) => random(10 + board) < (board === 6 && halfStars < 8 ? 0.25 : 0.42),
  );
  const [least, most] = SINGLE_SUPPLEMENTS;
  const canTakeChildren = index === 0 || random(21) >= ADULTS_ONLY_SHARE;
  const hasFreeChildPlaces = random(22) < FREE_CHILD_SHARE;
  const position = hotelPosition(place, beachKm, random);
  const described = { resort: place.resort, halfStars, canTakeChildren, hasFreeChildPlaces };
  const first = Math.floor(random(3) * SAMPLE_PROVIDERS.length);
  return {
    record: {
      id,
      code: `SH${String(id).padStart(4, '0')}`,
      provider: null,
      describedBy: null,
      name: inventHotelName(place.country, place.resort, [seed, resort, index], taken),
      resort,
      halfStars,
      consumerRating: Math.round((5.4 + halfStars * 0.32 + 1.4 * random(4)) * 10) / 10,
      ...position,
      ...hotelTexts({ ...described, seaDistance: position.seaDistance }, random),
    },
    boards: boards.length > 0 ? boards : [{ id: 3, factor: boardFactor('BB') }],
    providers: [first, (first + 1 + Math.floor(random(7) * 4)) % SAMPLE_PROVIDERS.length],
    factor: hotelFactor(halfStars, beachKm) * (0.94 + 0.12 * random(8)),
    singleSupplement: least + (most - least) * random(20),
    canTakeChildren,
    hasFreeChildPlaces,
  };
}

/** How far hotels are from the middle of their resort, in degrees, and how many spots each can choose from. */
const SPREAD = 0.012;
const SPOTS = 12;

/** A spot on land in a resort, near the beach if the hotel is. */
function hotelPosition(place: SampleResort, beachKm: number | null, random: (salt: number) => number) {
  const spots = Array.from({ length: SPOTS }, (_, nth) => {
    const degrees = (from: number, salt: number) =>
      Math.round((from + (random(salt + 2 * nth) * 2 - 1) * SPREAD) * 1e5) / 1e5;
    const [latitude, longitude] = [degrees(place.latitude, 30), degrees(place.longitude, 31)];
    return { latitude, longitude, seaDistance: seaDistanceKm(latitude, longitude) };
  });
  const wanted = beachKm ?? seaDistanceKm(place.latitude, place.longitude);
  const miss = ({ seaDistance }: { seaDistance: number | null }) =>
    Math.abs((seaDistance ?? Number.POSITIVE_INFINITY) - (wanted ?? 0));
  return spots.reduce((best, spot) => (miss(spot) < miss(best) ? spot : best));
}

/** Scales the price factors of each market's hotels to a mean of 1. */
function normalised(destinations: readonly SampleDestination[]): SampleDestination[] {
  const byMarket = Map.groupBy(destinations, ({ country, market }) => `${country} ${market.curve.oneWeek}`);
  const means = new Map(
    [...byMarket].map(([key, group]) => [key, meanFactor(group.flatMap(({ hotels }) => hotels))]),
  );
  return destinations.map((destination) => {
    const mean = means.get(`${destination.country} ${destination.market.curve.oneWeek}`) ?? 1;
    return {
      ...destination,
      hotels: destination.hotels.map((hotel) => ({ ...hotel, factor: hotel.factor / mean })),
    };
  });
}

function meanFactor(hotels: readonly SampleHotel[]): number {
  const worths = hotels.map(
    ({ factor, boards }) => (factor * sum(boards.map((board) => board.factor))) / boards.length,
  );
  return sum(worths) / worths.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
