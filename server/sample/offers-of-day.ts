import { type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { DURATIONS } from '../../domain/duration.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { basePricePerPerson, nightsFactor, seasonFactor } from './market-price.ts';
import { SAMPLE_PROVIDERS } from './providers.ts';
import type { SampleDestination, SampleHotel, SampleMarket } from './sample-market.ts';
import { seededRandom } from './seeded-random.ts';

const PARTY = 1;
const ADULTS = 2;
const MINUTES_PER_DAY = 24 * 60;
/** Below this share of the July price, it is out of season and some hotels are closed. */
const OUT_OF_SEASON = 0.7;

/**
 * Every package of the sample that departs on a day, with its price on another, in the order of the store's key.
 * `seenAt` is in minutes since the epoch.
 */
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
  const rows: OfferRow[] = [];
  for (const nights of DURATIONS) {
    for (const [index, destination] of market.destinations.entries()) {
      const level = (levels[index] ?? 0) * nightsFactor(nights) * ADULTS;
      const open = openHotelCount(destination, departure);
      for (const service of destination.servedFrom) {
        // The hotels on sale from an airport vary from day to day, as allotments do.
        const start = Math.floor(
          seededRandom(market.seed, day, nights, service.origin, destination.resort) *
            destination.hotels.length,
        );
        const fare = level * (0.96 + 0.08 * seededRandom(market.seed, service.origin, destination.resort));
        for (const hotel of rotatedHotels(destination.hotels, start, open)) {
          rows.push(offer(market.seed, day, nights, destination, service, hotel, fare, seenAt));
        }
      }
    }
  }
  return rows;
}

function openHotelCount({ market, breadth }: SampleDestination, departure: CalendarDate): number {
  const isOutOfSeason = seasonFactor(market.season, departure) < OUT_OF_SEASON;
  return isOutOfSeason ? Math.max(1, Math.ceil(breadth * 0.85)) : breadth;
}

/** `count` consecutive hotels from index `start`, wrapping around, in the order of their ids. */
function rotatedHotels(hotels: readonly SampleHotel[], start: number, count: number): SampleHotel[] {
  const overflow = Math.max(0, start + count - hotels.length);
  return [...hotels.slice(0, overflow), ...hotels.slice(start, start + count)];
}

function offer(
  seed: number,
  day: number,
  nights: number,
  { country, region, resort }: SampleDestination,
  { origin, rotations }: SampleDestination['servedFrom'][number],
  hotel: SampleHotel,
  fare: number,
  seenAt: number,
): OfferRow {
  const random = seededRandom(seed, day, nights, origin, hotel.record.id);
  const pick = Math.floor(random * 64);
  const board = hotel.boards[pick % hotel.boards.length] ?? hotel.boards[0];
  const provider = SAMPLE_PROVIDERS[hotel.providers[(pick >> 2) % hotel.providers.length] ?? 0];
  const rotation = rotations[(pick >> 3) % rotations.length] ?? rotations[0];
  if (!board || !provider || !rotation)
    throw new Error(`Hotel ${hotel.record.code} has no board, provider or flight`);
  const room = (pick >> 4) % 3 === 0 ? 2 : 1;
  const noise = 0.95 + 0.1 * (random * 64 - pick);
  const pounds = Math.round(
    fare * hotel.factor * board.factor * provider.margin * (room === 2 ? 1.05 : 1) * noise,
  );
  return [
    day,
    nights,
    PARTY,
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
    pick % 4 === 0 ? 0 : 1,
    day * MINUTES_PER_DAY,
    seenAt,
    null,
  ];
}
