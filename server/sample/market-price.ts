import { type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import type { CountryMarket, LeadTimeCurve } from './country-markets.ts';

/** What school holidays add: English families pay it, and the sample's market shows it. */
const SCHOOL_HOLIDAY = 1.4;

/** By weekday of departure, Sunday first. */
const WEEKDAY = [1.03, 1, 0.96, 0.95, 0.98, 1.03, 1.05];

/** By half stars from 4 (two stars) to 10: the large step stands at four stars. */
const STARS: Readonly<Record<number, number>> = {
  4: 0.7,
  5: 0.74,
  6: 0.79,
  7: 0.85,
  8: 1.09,
  9: 1.22,
  10: 1.5,
};

const BOARDS: Readonly<Record<string, number>> = { RO: 0.86, SC: 0.84, BB: 0.91, HB: 1, FB: 1.08, AI: 1.2 };

/** The part of a 7-night price that is not the hotel's: flights and transfer. */
const FLIGHT_SHARE = 0.35;

/** Pounds per person of a middling hotel, 7 nights, for a departure day booked on another. */
export function levelPerPerson(
  market: CountryMarket,
  departure: CalendarDate,
  bookedOn: CalendarDate,
): number {
  const lead = dayNumber(departure) - dayNumber(bookedOn);
  const holiday = isSchoolHoliday(departure) ? SCHOOL_HOLIDAY : 1;
  return (
    onLeadTime(market.curve, lead) *
    market.level *
    seasonFactor(market.season, departure) *
    weekdayFactor(departure) *
    holiday
  );
}

/** The curve at `days` ahead: straight between its three points, flat outside them. */
export function onLeadTime(curve: LeadTimeCurve, days: number): number {
  if (days >= 270) return curve.nineMonths;
  if (days >= 210) return between(curve.sevenMonths, curve.nineMonths, (days - 210) / 60);
  if (days >= 7) return between(curve.oneWeek, curve.sevenMonths, (days - 7) / 203);
  return curve.oneWeek;
}

/** A month's figure holds at its middle; days between two middles lie between the two figures. */
export function seasonFactor(season: readonly number[], date: CalendarDate): number {
  const month = Number(date.slice(5, 7)) - 1;
  const offset = (Number(date.slice(8, 10)) - 15) / 30;
  const here = season[month] ?? 1;
  const next = season[(month + (offset < 0 ? 11 : 1)) % 12] ?? here;
  return between(here, next, Math.abs(offset));
}

export function weekdayFactor(date: CalendarDate): number {
  return WEEKDAY[(dayNumber(date) + 4) % 7] ?? 1;
}

/** What a hotel is worth against a middling one: its stars, and how far the beach is (null: none). */
export function hotelFactor(halfStars: number, beachKm: number | null): number {
  const beach = beachKm === null ? 1 : 1.06 - 0.07 * Math.min(beachKm, 2);
  return (STARS[halfStars] ?? 1) * beach;
}

export function boardFactor(board: string): number {
  return BOARDS[board] ?? 1;
}

export function nightsFactor(nights: number): number {
  return FLIGHT_SHARE + ((1 - FLIGHT_SHARE) * nights) / 7;
}

function between(start: number, end: number, share: number): number {
  return start + (end - start) * share;
}
