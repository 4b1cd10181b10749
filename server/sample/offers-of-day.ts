import { type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { DURATIONS, type Duration } from '../../domain/duration.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { extrasCode } from '../inventory/offer-extras.ts';
import { basePricePerPerson, nightsFactor } from './market-price.ts';
import { partyFactor } from './party-price.ts';
import { SAMPLE_PROVIDERS } from './providers.ts';
import type { SampleDestination, SampleHotel, SampleMarket } from './sample-market.ts';
import { hotelsSoldTo, SAMPLE_PARTIES, type SampleParty } from './sample-parties.ts';
import { seededRandom } from './seeded-random.ts';

const MINUTES_PER_DAY = 24 * 60;
/** The share of family rooms that still have a free child place. Few do in the school holidays. */
const FREE_PLACES_LEFT = { inTerm: 0.4, inHolidays: 0.08 };

/** Whether providers' prices include the transfer; some do not say. */
const TRANSFERS = [true, false, true, null] as const;

/** Every sample package of a departure day, priced on another day, in key order. */
export function offersOfDay(
  market: SampleMarket,
  departure: CalendarDate,
  pricedOn: CalendarDate,
  seenAt: number,
): OfferRow[] {
  const day = dayNumber(departure);
  const levels = market.destinations.map((destination) =>
    basePricePerPerson(destination.market, departure, pricedOn),
  );
  const freePlaces = isSchoolHoliday(departure) ? FREE_PLACES_LEFT.inHolidays : FREE_PLACES_LEFT.inTerm;
  const rows: OfferRow[] = [];
  for (const nights of DURATIONS) {
    for (const party of SAMPLE_PARTIES) {
      const offered = { seed: market.seed, day, nights, party, freePlaces, seenAt };
      for (const [index, destination] of market.destinations.entries()) {
        const level = (levels[index] ?? 0) * nightsFactor(nights);
        rows.push(...offersTo(offered, destination, level));
      }
    }
  }
  return rows;
}

/** What the market sells to a party on a day. */
interface Offered {
  seed: number;
  day: number;
  nights: Duration;
  party: SampleParty;
  /** The share of family rooms that have a free child place. */
  freePlaces: number;
  seenAt: number;
}

function offersTo(offered: Offered, destination: SampleDestination, level: number): OfferRow[] {
  const { seed, day, nights, party } = offered;
  const { resort, servedFrom } = destination;
  const hotels =
    party.children > 0 ? destination.hotels.filter((hotel) => hotel.canTakeChildren) : destination.hotels;
  return servedFrom.flatMap((service, nth) => {
    const count = hotelsSoldTo(party, nights, day, destination, nth);
    if (count === 0) return [];
    // Which hotels an airport sells varies by day, as allotments do.
    const start = Math.floor(seededRandom(seed, day, nights, service.origin, resort) * hotels.length);
    const fare = level * (0.96 + 0.08 * seededRandom(seed, service.origin, resort));
    return rotatedHotels(hotels, start, Math.min(count, hotels.length)).map((hotel) =>
      offer(offered, destination, service, hotel, fare),
    );
  });
}

/** Picks `count` consecutive hotels from index `start`, wrapping around, and sorts them by ID. */
function rotatedHotels(hotels: readonly SampleHotel[], start: number, count: number): SampleHotel[] {
  const overflow = Math.max(0, start + count - hotels.length);
  return [...hotels.slice(0, overflow), ...hotels.slice(start, start + count)];
}

/** `fare` is what each of two adults pays in an average hotel. */
function offer(
  { seed, day, nights, party, freePlaces, seenAt }: Offered,
  { country, region, resort }: SampleDestination,
  { origin, rotations }: SampleDestination['servedFrom'][number],
  hotel: SampleHotel,
  fare: number,
): OfferRow {
  const random = seededRandom(seed, day, nights, origin, hotel.record.id);
  const pick = Math.floor(random * 64);
  const board = hotel.boards[pick % hotel.boards.length] ?? hotel.boards[0];
  const provider = SAMPLE_PROVIDERS[hotel.providers[(pick >> 2) % hotel.providers.length] ?? 0];
  const rotation = rotations[(pick >> 3) % rotations.length] ?? rotations[0];
  if (!board || !provider || !rotation)
    throw new Error(`Hotel ${hotel.record.code} has no board, provider or flight`);
  const isChildFree =
    party.children > 0 &&
    hotel.hasFreeChildPlaces &&
    seededRandom(seed, day, nights, origin, hotel.record.id, 1) < freePlaces;
  const hasBag = pick % 4 !== 0;
  const hasView = party.children === 0 && party.adults === 2 && (pick >> 4) % 3 === 0;
  const room = party.rooms[isChildFree || hasView ? 1 : 0];
  const travellers = partyFactor(party, nights, { singleSupplement: hotel.singleSupplement, isChildFree });
  const noise = 0.95 + 0.1 * (random * 64 - pick);
  const pounds = Math.round(
    fare * travellers * hotel.factor * board.factor * provider.margin * (hasView ? 1.05 : 1) * noise,
  );
  return [
    day,
    nights,
    party.id,
    country,
    region,
    resort,
    origin,
    hotel.record.id,
    board.id,
    room,
    provider.id,
    pounds * 100 + provider.ending,
    null,
    hotel.record.halfStars,
    rotation.outbound.departureMinute ?? 0,
    rotation.outbound.id,
    rotation.inbound.id,
    Number(hasBag),
    day * MINUTES_PER_DAY,
    seenAt,
    null,
    0,
    extrasCode({
      transfer: TRANSFERS[provider.id % TRANSFERS.length] ?? null,
      holdKg: hasBag ? 20 + (rotation.outbound.id % 4) : null,
      cabinKg: rotation.outbound.id % 2 === 0 ? 10 : 7,
    }),
  ];
}
