import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { repricedOffers } from './reprice-offers.ts';
import type { SampleMarket } from './sample-market.ts';

/** How far the simulation has progressed, kept between runs. */
export interface MarketPosition {
  /** The market day that prices are moving to, counted from 1970-01-01. It may be later than today. */
  day: number;
  /** How many steps of the day are done: one per resort and month. */
  done: number;
}

export const MARKET_POSITION_NOTE = 'sample.market_place';

/** For how many months departures are on sale. */
const MONTHS = 18;

export interface MarketSimulation {
  /** The number of steps in a market day. */
  steps: number;
  /** Moves one resort's prices for one month of departures. Returns how many prices changed. */
  step(seenAt: number): Promise<number>;
  position(): MarketPosition;
}

/** Continues the simulation, or starts at `today` if that is later. `writer` writes the prices. */
export async function marketSimulation(
  database: SqlDatabase,
  writer: InventoryWriter,
  market: SampleMarket,
  today: number,
): Promise<MarketSimulation> {
  const { destinations, seed } = market;
  const steps = destinations.length * MONTHS;
  const find = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer
    where ${database.anyOf('departure_day')} and nights in (select nights from stay)
      and party in (select id from party) and country = ? and region = ? and resort = ? order by ${KEY_COLUMNS.join(', ')}`,
  );
  const saved = readPosition(await writer.readNote(MARKET_POSITION_NOTE));
  let position = saved !== null && saved.day > today ? saved : { day: today + 1, done: 0 };

  return {
    steps,
    position: () => position,
    async step(seenAt) {
      const destination = destinations[position.done % destinations.length];
      const month = monthOfDay(today) + Math.floor(position.done / destinations.length);
      const { day } = position;
      position = position.done + 1 < steps ? { day, done: position.done + 1 } : { day: day + 1, done: 0 };
      if (destination === undefined) return 0;
      const monthStart = firstDayOfMonth(month);
      const days = Array.from(
        { length: firstDayOfMonth(month + 1) - monthStart },
        (_, index) => monthStart + index,
      );
      const { country, region, resort } = destination;
      const offers = (await find.rows(days, country, region, resort)) as unknown as OfferRow[];
      const moved = repricedOffers(
        seed,
        { monthStart, curve: destination.market.curve },
        offers,
        day,
        seenAt,
      );
      if (moved.length > 0) await writer.writeOffers(moved);
      await writer.writeNote(MARKET_POSITION_NOTE, JSON.stringify(position));
      return moved.length;
    },
  };
}

/** Whether the simulation has moved prices beyond `today`. `note` is the text of `MARKET_POSITION_NOTE`. */
export function isAheadOf(note: string | null, today: number): boolean {
  return (readPosition(note)?.day ?? 0) > today;
}

function readPosition(note: string | null): MarketPosition | null {
  const saved: unknown = note === null ? null : JSON.parse(note);
  if (typeof saved !== 'object' || saved === null || !('day' in saved) || !('done' in saved)) return null;
  return { day: Number(saved.day), done: Number(saved.done) };
}
