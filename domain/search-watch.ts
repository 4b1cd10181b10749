import type { Airport } from './airport.ts';
import { boardBasisWords } from './board-basis.ts';
import type { CalendarDate } from './calendar-date.ts';
import { formatLongDate } from './day-words.ts';
import { type DestinationTuple, shortName } from './destination.ts';
import type { Duration } from './duration.ts';
import { daysWords, type Flexibility, nightsWords, orWords } from './flexibility.ts';
import type { Pence } from './money.ts';
import { type Party, partyWords } from './party.ts';
import { refineEntries } from './refinements.ts';
import type { ResultFilters } from './result-filters.ts';

/**
 * When a watch of a search sends a message (docs/contracts/intents.md). `limit` is the highest total that deserves
 * one; `told` is the total last sent, or null. The lowest total of a search that finds nothing is null.
 */
export interface PriceWatch {
  limit: Pence;
  told: Pence | null;
}

/** A rise of the lowest total to this many percent of the one last sent makes that one count no longer. */
const REARM_PERCENT = 105;

/** A booked holiday has to fall by this many percent and pence of the booked price. */
const BOOKED_PERCENT = 5;
const BOOKED_PENCE = 2_500;

/** A total below this deserves a message. */
export function firesBelow({ limit, told }: PriceWatch): Pence {
  return Math.min(limit + 1, told ?? Number.POSITIVE_INFINITY);
}

/** The total last sent when a watch begins: a total within the limit is known already. */
export function toldAtStart(limit: Pence, lowest: Pence | null): Pence | null {
  return lowest !== null && lowest <= limit ? lowest : null;
}

/** The lowest total from which the one last sent counts no longer. Null: none was sent. */
export function rearmsFrom({ limit, told }: PriceWatch): Pence | null {
  return told === null ? null : Math.max(limit + 1, Math.ceil((told * REARM_PERCENT) / 100));
}

/** The state of a watch after a look at its search, and whether the look deserves a message. */
export function afterLook(watch: PriceWatch, lowest: Pence | null): PriceWatch & { fires: boolean } {
  const from = rearmsFrom(watch);
  const told = from !== null && (lowest === null || lowest >= from) ? null : watch.told;
  return { limit: watch.limit, told, fires: lowest !== null && lowest < firesBelow({ ...watch, told }) };
}

/** The limit that the form offers, in pounds: a little under today's lowest total. */
export function offeredLimit(lowestPounds: number): number {
  const less = Math.floor(lowestPounds * 0.98);
  return Math.max(1, less > 100 ? less - (less % 5) : less);
}

/** The highest total that is enough below a booked price. */
export function bookedLimit(booked: Pence): Pence {
  return Math.max(0, Math.min(Math.floor((booked * (100 - BOOKED_PERCENT)) / 100), booked - BOOKED_PENCE));
}

/** What a watched search is for. */
export interface WatchedTrip extends ResultFilters {
  destination: DestinationTuple | null;
  airport: Pick<Airport, 'name'>;
  date: CalendarDate;
  /** The last day of departure of a watch over weeks or months; else null. */
  until: CalendarDate | null;
  duration: Duration;
  party: Party;
  flexibility: Flexibility;
}

/**
 * 'Crete or Malta from London, 7 nights from 1st May 2027 ±3 days, for 2 adults, All-Inclusive'. `hotelName`: of a
 * watch of one hotel. Other filters are counted, because anyone may have typed their texts.
 */
export function watchWords(trip: WatchedTrip, hotelName: string | null): string {
  const { destination, airport, date, until, duration, party, flexibility, boardBasis, starRating } = trip;
  const places = [...(destination === null ? [] : [destination]), ...flexibility.places].map(shortName);
  const days = until === null ? daysWords(flexibility) : ` to ${formatLongDate(until)}`;
  const further = refineEntries(trip.refine).filter(([key]) => key !== 'hotelcode').length;
  return [
    `${hotelName ?? (places.length === 0 ? 'Anywhere' : orWords(places))} from ${airport.name}`,
    `${nightsWords(duration, flexibility)} ${until === null ? 'from' : 'departing'} ${formatLongDate(date)}${days}`,
    `for ${partyWords(party)}`,
    boardBasis !== '' && boardBasisWords(boardBasis),
    starRating !== '' && `${starRating} ${starRating === '1' ? 'star' : 'stars'}`,
    further > 0 && `with ${further} ${further === 1 ? 'filter' : 'filters'}`,
  ]
    .filter(Boolean)
    .join(', ');
}
