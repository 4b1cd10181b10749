import {
  addDays,
  addMonths,
  type CalendarDate,
  dayNumber,
  fromDayNumber,
} from '../../domain/calendar-date.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import { FEEDS_NOTE, SAMPLE_MARKET_NOTE } from '../inventory/inventory-notes.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';

export interface SampleProgress {
  /** Days of departures that are loaded, counted from tomorrow. */
  day: number;
  days: number;
  /** Packages written in this load. */
  offers: number;
}

export interface SampleLoad {
  writer: InventoryWriter;
  seed: number;
  /** London's today. */
  today: CalendarDate;
  /** Minutes since the epoch. */
  now: number;
  onProgress: (progress: SampleProgress) => void;
  stopped: () => boolean;
}

/** Raised whenever the same seed makes another market, so that stores made before are made anew. */
const VERSION = 1;
const THROUGH_NOTE = 'sample.through_day';
const BATCH = 5_000;

/**
 * Brings the sample inventory up to 18 months ahead of `today`, nearest departures first. A load that was
 * cut off goes on where it stopped; a later one adds the days that have come into reach and removes those
 * gone by. Another seed or version starts over. Throws where the store holds providers' feeds.
 */
export async function loadSample(load: SampleLoad): Promise<void> {
  const { writer, seed, today, now, onProgress, stopped } = load;
  if ((await writer.readNote(FEEDS_NOTE)) !== null) {
    throw new Error("The store holds providers' feeds, and the sample never stands beside them");
  }
  const market = sampleMarket(seed);
  const name = `${VERSION}:${seed}`;
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
  await writer.removeDeparturesBefore(first);

  let offers = 0;
  onProgress({ day: Math.max(0, Math.min(days, through - first + 1)), days, offers });
  for (let day = Math.max(first, through + 1); day <= last && !stopped(); day += 1) {
    const rows = offersOfDay(market, fromDayNumber(day), today, now);
    for (let start = 0; start < rows.length; start += BATCH) {
      await writer.writeOffers(rows.slice(start, start + BATCH));
    }
    await writer.writeNote(THROUGH_NOTE, String(day));
    offers += rows.length;
    onProgress({ day: day - first + 1, days, offers });
  }
}
