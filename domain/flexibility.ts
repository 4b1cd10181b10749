import type { DestinationTuple } from './destination.ts';

/** How a search may differ from the form's fields, for a server with `places`, `maxDuration` and `lastDeparture`. */
export interface Flexibility {
  /** How many days before or after the date a trip may depart. */
  days: number;
  /** The most nights, if a trip may be longer than the form's duration; else null. */
  maxNights: number | null;
  /** Places to search as well as the form's. */
  places: readonly DestinationTuple[];
}

export const NO_FLEXIBILITY: Flexibility = { days: 0, maxNights: null, places: [] };

export const FLEXIBLE_DAYS = [1, 3];

/** The most `places` that a search may have. */
export const MAX_FURTHER_PLACES = 4;

export function isFlexible({ days, maxNights, places }: Flexibility): boolean {
  return days > 0 || maxNights !== null || places.length > 0;
}

/** '7 to 10 nights', or '7 nights'. */
export function nightsWords(duration: number, { maxNights }: Pick<Flexibility, 'maxNights'>): string {
  return maxNights !== null && maxNights > duration
    ? `${duration} to ${maxNights} nights`
    : `${duration} nights`;
}

/** 'Majorca, Ibiza or Crete'. */
export function orWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** ' ±3 days', to follow a date; '' if only that date is searched. */
export function daysWords({ days }: Pick<Flexibility, 'days'>): string {
  return days === 0 ? '' : ` ±${days} ${days === 1 ? 'day' : 'days'}`;
}
