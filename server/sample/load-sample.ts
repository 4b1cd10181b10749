import {
  addDays,
  addMonths,
  type CalendarDate,
  dayNumber,
  fromDayNumber,
} from '../../domain/calendar-date.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { FEEDS_NOTE, SAMPLE_MARKET_NOTE } from '../inventory/inventory-notes.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';
import { writtenTogether } from './written-together.ts';

export interface SampleProgress {
  /** How many departure days are loaded, counted from tomorrow. */
  day: number;
  days: number;
  /** How many packages this load has written. */
  offers: number;
}

export interface SampleLoad {
  writer: InventoryWriter;
  seed: number;
  /** The date in London. */
  today: CalendarDate;
  /** In minutes since the epoch. */
  now: number;
  /** Whether to remove past departures. False while the clock may be wrong. */
  canRemoveDeparted: boolean;
  onProgress: (progress: SampleProgress) => void;
  stopped: () => boolean;
}

/** Increment this if the same seed generates a different market. Existing stores are then generated again. */
const MARKET_VERSION = 6;
const THROUGH_NOTE = 'sample.through_day';

/** The first days are written separately, so that they can soon be searched. */
const DAYS_ALONE = 7;

/** How many later days are written together, so that a price block is written once for all of them. */
const DAYS_TOGETHER = 7;

/**
 * Loads the sample up to 18 months after `today`, nearest departures first. Adds new days and removes past
 * ones. Continues an interrupted load; with another seed or version, starts from the beginning. Throws if the
 * store has providers' feeds.
 */
export async function loadSample(load: SampleLoad): Promise<void> {
  const { writer, seed, today, now, canRemoveDeparted, onProgress, stopped } = load;
  if ((await writer.readNote(FEEDS_NOTE)) !== null) {
    throw new Error("The store holds providers' feeds; it cannot also hold the sample");
  }
  const market = sampleMarket(seed);
  const name = `${MARKET_VERSION}:${seed}`;
  if ((await writer.readNote(SAMPLE_MARKET_NOTE)) !== name) {
    await writer.writeNote(THROUGH_NOTE, '');
    await writer.removeDeparturesBefore(Number.MAX_SAFE_INTEGER);
    await writer.replaceReference(market.reference);
    await writer.writeNote(SAMPLE_MARKET_NOTE, name);
  }
  const first = dayNumber(addDays(today, 1));
  const last = dayNumber(addMonths(today, 18));
  const days = last - first + 1;
  const through = Number((await writer.readNote(THROUGH_NOTE)) || 0);
  if (canRemoveDeparted) await writer.removeDeparturesBefore(first);

  let offers = 0;
  onProgress({ day: Math.max(0, Math.min(days, through - first + 1)), days, offers });
  for (let day = Math.max(first, through + 1); day <= last && !stopped(); ) {
    const until = day < first + DAYS_ALONE ? day : Math.min(last, day + DAYS_TOGETHER - 1);
    const rows: OfferRow[] = [];
    for (; day <= until; day += 1) {
      for (const row of offersOfDay(market, fromDayNumber(day), today, now)) rows.push(row);
    }
    for (const part of writtenTogether(rows)) await writer.writeOffers(part);
    await writer.writeNote(THROUGH_NOTE, String(until));
    offers += rows.length;
    onProgress({ day: until - first + 1, days, offers });
  }
}
