import { fromDayNumber } from '../../domain/calendar-date.ts';
import { londonDay, londonInstant } from '../../domain/london-time.ts';
import { monthOfDay } from '../../domain/month.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { pricePathReader } from '../price-history/price-path-table.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { isAheadOf, MARKET_POSITION_NOTE } from './market-simulation.ts';
import { withPriceFactor } from './reprice-offers.ts';
import { writtenTogether } from './written-together.ts';

export interface SampleMove {
  /** Reads offers and price paths. The paths must extend to today; see `writeSampleHistory`. */
  database: SqlDatabase;
  writer: InventoryWriter;
  /** In minutes since the epoch. The market moves to its UTC day. */
  now: number;
  /** Awaited after each transaction, with the milliseconds that reading and writing took. */
  yieldTurn: (workedMs: number) => Promise<void>;
  stopped: () => boolean;
}

const MOVED_NOTE = 'sample.moved_day';

/** Departure days moved together, so that a price block is written once for all of them. */
const DAYS_TOGETHER = 7;

/**
 * Marks every sample package as seen today at its path's price, as a daily feed would. Returns how many.
 * Continues an interrupted move. Does not move prices that `npm run market` has moved beyond today.
 */
export async function moveSamplePrices(move: SampleMove): Promise<number> {
  const { database, writer, now, yieldTurn, stopped } = move;
  const today = londonDay(now);
  const midnight = londonInstant(fromDayNumber(today), 0) / 60_000;
  if (Number((await writer.readNote(MOVED_NOTE)) ?? 0) >= today) return 0;
  const isMovedByHand = isAheadOf(await writer.readNote(MARKET_POSITION_NOTE), today);
  const find = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer where ${database.anyOf('departure_day')} and seen_at < ?
      order by ${KEY_COLUMNS.join(', ')}`,
  );
  const bounds = await database.prepare('select min(departure_day), max(departure_day) from offer').row();
  const [first, last] = [Number(bounds?.[0] ?? 0), Number(bounds?.[1] ?? -1)];
  let seen = 0;
  for (let day = first; day <= last; day += DAYS_TOGETHER) {
    let started = performance.now();
    const days = Array.from({ length: DAYS_TOGETHER }, (_, index) => day + index);
    const factorOf = isMovedByHand ? () => 1 : pathFactors(database, today);
    const offers = (await find.rows(days, midnight)) as unknown as OfferRow[];
    for (const part of writtenTogether(offers)) {
      if (stopped()) return seen;
      await writer.writeOffers(
        await Promise.all(part.map(async (offer) => withPriceFactor(offer, await factorOf(offer), now))),
      );
      seen += part.length;
      await yieldTurn(performance.now() - started);
      started = performance.now();
    }
  }
  await writer.writeNote(MOVED_NOTE, String(today));
  return seen;
}

/** The factor by which an offer's price has moved on its path since it was last seen; 1 without a path. */
function pathFactors(database: SqlDatabase, today: number): (offer: OfferRow) => Promise<number> {
  const read = pricePathReader(database);
  const paths = new Map<number, Awaited<ReturnType<typeof read>>>();
  return async (offer) => {
    const departureDay = offer[OFFER.departureDay];
    // The hotel and month, packed into one safe integer.
    const name = offer[OFFER.hotel] * 4096 + monthOfDay(departureDay);
    let path = paths.get(name);
    if (path === undefined) {
      path = await read(offer[OFFER.hotel], departureDay);
      paths.set(name, path);
    }
    if (path === null) return 1;
    const { lastDay, levels } = path;
    const levelOn = (day: number) =>
      levels[Math.max(0, Math.min(levels.length - 1, day - lastDay + levels.length - 1))] ?? 0;
    return Math.exp(levelOn(today) - levelOn(londonDay(offer[OFFER.seenAt])));
  };
}
