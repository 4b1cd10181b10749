import { type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import type { CountryMarket, LeadTimeCurve } from './country-markets.ts';

/** The factor for departures in the school holidays of England. */
const SCHOOL_HOLIDAY_FACTOR = 1.4;

/** Factors by weekday of departure, from Sunday. */
const WEEKDAY_FACTORS = [1.03, 1, 0.96, 0.95, 0.98, 1.03, 1.05];

/** Factors by half stars, from 4 (two stars) to 10. The largest step is at four stars. */
const STAR_FACTORS: Readonly<Record<number, number>> = {
  4: 0.7,
  5: 0.74,
  6: 0.79,
  7: 0.85,
  8: 1.09,
  9: 1.22,
  10: 1.5,
};

const BOARD_FACTORS: Readonly<Record<string, number>> = {
  RO: 0.86,
  SC: 0.84,
  BB: 0.91,
  HB: 1,
  FB: 1.08,
  AI: 1.2,
};

/** The part of a 7-night price that pays for flights and transfer. */
export const FLIGHT_SHARE = 0.35;

/** Pounds per person for 7 nights in an average hotel. */
export function basePricePerPerson(
  market: CountryMarket,
  departure: CalendarDate,
  bookedOn: CalendarDate,
): number {
  const lead = dayNumber(departure) - dayNumber(bookedOn);
  const holiday = isSchoolHoliday(departure) ? SCHOOL_HOLIDAY_FACTOR : 1;
  return (
    leadTimePrice(market.curve, lead) *
    market.level *
    seasonFactor(market.season, departure) *
    weekdayFactor(departure) *
    holiday
  );
}

/** The curve's price at `days` ahead: linear between its three points, constant outside them. */
export function leadTimePrice(curve: LeadTimeCurve, days: number): number {
  if (days >= 270) return curve.nineMonths;
  if (days >= 210) return interpolate(curve.sevenMonths, curve.nineMonths, (days - 210) / 60);
  if (days >= 7) return interpolate(curve.oneWeek, curve.sevenMonths, (days - 7) / 203);
  return curve.oneWeek;
}

/** The season's factor on a date. Monthly factors apply in mid-month, and are interpolated in between. */
export function seasonFactor(season: readonly number[], date: CalendarDate): number {
  const month = Number(date.slice(5, 7)) - 1;
  const offset = (Number(date.slice(8, 10)) - 15) / 30;
  const here = season[month] ?? 1;
  const next = season[(month + (offset < 0 ? 11 : 1)) % 12] ?? here;
  return interpolate(here, next, Math.abs(offset));
}

export function weekdayFactor(date: CalendarDate): number {
  return WEEKDAY_FACTORS[(dayNumber(date) + 4) % 7] ?? 1;
}

/** A hotel's price factor, from its stars and its distance from the beach (null: no beach). */
export function hotelFactor(halfStars: number, beachKm: number | null): number {
  const beach = beachKm === null ? 1 : 1.06 - 0.07 * Math.min(beachKm, 2);
  return (STAR_FACTORS[halfStars] ?? 1) * beach;
}

export function boardFactor(board: string): number {
  return BOARD_FACTORS[board] ?? 1;
}

export function nightsFactor(nights: number): number {
  return FLIGHT_SHARE + ((1 - FLIGHT_SHARE) * nights) / 7;
}

function interpolate(start: number, end: number, share: number): number {
  return start + (end - start) * share;
}
