import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import type { InventoryWriter, OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { movedOffers } from './market-day.ts';
import type { SampleMarket } from './sample-market.ts';

/** Where the market stands: the day that it is moving to, and how far it has come. Kept between runs. */
export interface MarketPlace {
  /** Days since 1970-01-01, on the market's own calendar, which runs ahead of ours. */
  day: number;
  /** Resorts times months that have moved to it already. */
  done: number;
}

const NOTE = 'sample.market_place';

/** Months of departures that move: those on sale. */
const MONTHS = 18;

/** The market of a store that holds a sample inventory, ready to move on. */
export interface MovingMarket {
  /** How many steps a market day has. */
  steps: number;
  /** Moves one resort's prices for one month of departures. Returns how many prices changed. */
  step(seenAt: number): Promise<number>;
  place(): MarketPlace;
}

/** Takes the market up where it was left, or at `today`. `database` only reads; prices go through the writer. */
export async function movingMarket(
  database: SqlDatabase,
  writer: InventoryWriter,
  market: SampleMarket,
  today: number,
): Promise<MovingMarket> {
  const { destinations, seed } = market;
  const steps = destinations.length * MONTHS;
  const find = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer
    where ${database.anyOf('departure_day')} and nights in (select nights from stay)
      and party = 1 and country = ? and region = ? and resort = ? order by ${KEY_COLUMNS.join(', ')}`,
  );
  let place = readPlace(await writer.readNote(NOTE)) ?? { day: today + 1, done: 0 };

  return {
    steps,
    place: () => place,
    async step(seenAt) {
      const destination = destinations[place.done % destinations.length];
      const month = monthOfDay(today) + Math.floor(place.done / destinations.length);
      const { day } = place;
      place = place.done + 1 < steps ? { day, done: place.done + 1 } : { day: day + 1, done: 0 };
      if (destination === undefined) return 0;
      const monthStart = firstDayOfMonth(month);
      const days = Array.from(
        { length: firstDayOfMonth(month + 1) - monthStart },
        (_, index) => monthStart + index,
      );
      const { country, region, resort } = destination;
      const offers = find.rows(days, country, region, resort) as unknown as OfferRow[];
      const moved = movedOffers(seed, { monthStart, curve: destination.market.curve }, offers, day, seenAt);
      if (moved.length > 0) await writer.writeOffers(moved);
      await writer.writeNote(NOTE, JSON.stringify(place));
      return moved.length;
    },
  };
}

function readPlace(note: string | null): MarketPlace | null {
  const place: unknown = note === null ? null : JSON.parse(note);
  if (typeof place !== 'object' || place === null || !('day' in place) || !('done' in place)) return null;
  return { day: Number(place.day), done: Number(place.done) };
}
