import { fromDayNumber } from '../../../domain/calendar-date.ts';
import { monthOfDay } from '../../../domain/month.ts';
import { isSchoolHoliday } from '../../../domain/school-holidays.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';

/** A package without its price: the input of the price model. Ids are the store's. */
export interface PricedPackage {
  departureDay: number;
  nights: number;
  region: number;
  resort: number;
  airport: number;
  board: number;
  room: number;
  provider: number;
  halfStars: number;
}

/** The price model's input for an offer. */
export function pricedPackageOf(offer: OfferRow): PricedPackage {
  const [departureDay, nights, , , region, resort, airport, , board, room, provider] = offer;
  return {
    departureDay,
    nights,
    region,
    resort,
    airport,
    board,
    room,
    provider,
    halfStars: offer[OFFER.halfStars],
  };
}

/** The traits of the price model. Each level of each trait has its own coefficient. */
export const TRAITS = [
  'resort',
  'month',
  'season',
  'schoolHoliday',
  'nights',
  'stars',
  'board',
  'room',
  'airport',
  'weekday',
  'lead',
  'regionLead',
  'provider',
] as const;

export type Trait = (typeof TRAITS)[number];

/** Lead times, in days, at which the next level begins. */
const LEAD_STEPS = [8, 15, 29, 61, 121, 211, 271];

/** The level of each trait, in the order of `TRAITS`, for a package priced on `pricedDay`. */
export function traitLevels(priced: PricedPackage, pricedDay: number): string[] {
  const { departureDay, region } = priced;
  const month = monthOfDay(departureDay) % 12;
  const lead = LEAD_STEPS.filter((days) => departureDay - pricedDay >= days).length;
  return [
    priced.resort,
    month,
    `${region}/${month}`,
    isSchoolHoliday(fromDayNumber(departureDay)),
    priced.nights,
    priced.halfStars,
    priced.board,
    priced.room,
    priced.airport,
    (departureDay + 4) % 7,
    lead,
    `${region}/${lead}`,
    priced.provider,
  ].map(String);
}
