import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { Duration } from '../../domain/duration.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import { freeChildRoom } from '../inventory/free-child-room.ts';
import type { ReferenceData } from '../inventory/inventory.ts';
import type { CountryMarket } from './country-markets.ts';
import type { ServedFrom } from './flight-network.ts';
import { seasonFactor } from './market-price.ts';

/** A party that the sample sells to. The sample has no infants. */
export interface SampleParty {
  id: number;
  adults: number;
  children: number;
  /**
   * The mean number of hotels that an airport sells to this party on a day, by nights. Null: all hotels that
   * are open, three to five for two adults.
   */
  hotelsSold: Readonly<Record<Duration, number>> | null;
  /** Room IDs: the plain room, and the one with a view or, for a family, with a free child place. */
  rooms: readonly [plain: number, other: number];
}

/** What determines how many hotels a destination sells. */
interface Allotment {
  resort: number;
  market: CountryMarket;
  breadth: number;
  peakBreadth: number;
  servedFrom: readonly ServedFrom[];
}

/**
 * Two adults can have every open hotel. Other parties have fewer, but most for a week. In the school holidays,
 * families can have as many as two adults in popular regions.
 */
export const SAMPLE_PARTIES: readonly SampleParty[] = [
  { id: 1, adults: 2, children: 0, hotelsSold: null, rooms: [1, 2] },
  { id: 2, adults: 1, children: 0, hotelsSold: { 4: 0.15, 7: 0.5, 10: 0.1, 14: 0.1 }, rooms: [3, 3] },
  { id: 3, adults: 2, children: 1, hotelsSold: { 4: 0.07, 7: 0.72, 10: 0.16, 14: 0.25 }, rooms: [4, 5] },
  { id: 4, adults: 2, children: 2, hotelsSold: { 4: 0.06, 7: 0.65, 10: 0.13, 14: 0.2 }, rooms: [6, 7] },
];

/** Each room is sold to one party, but two adults have two rooms. */
export const SAMPLE_ROOMS: ReferenceData['rooms'] = [
  { id: 1, code: 'DBL', description: 'Double or twin room' },
  { id: 2, code: 'SEA', description: 'Double or twin room with a view' },
  { id: 3, code: 'SGL', description: 'Double room for sole use' },
  { id: 4, code: 'TPL', description: 'Family room for three' },
  { id: 5, code: freeChildRoom('TPL'), description: 'Family room for three, one child free' },
  { id: 6, code: 'FAM', description: 'Family room for four' },
  { id: 7, code: freeChildRoom('FAM'), description: 'Family room for four, one child free' },
];

/** The mean number of hotels that an airport sells to two adults on a day. */
const MEAN_BREADTH = 4.15;

/** Multiples of this have evenly spread fractional parts, so neighbouring days, resorts and airports differ. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

const MAIN_WEIGHT = 1.4;
const QUIET_WEIGHT = 0.65;

/** If the season's factor is below this, some hotels are closed. */
const OUT_OF_SEASON = 0.7;
const OPEN_OUT_OF_SEASON = 0.7;

/** Stays from this many nights on are long. */
const LONG_STAY = 10;

/** What other airports than the main ones sell of the shortest and the longest stays. */
const QUIET_SHARE = 2 / 3;

/** How many hotels a resort's `nth` airport sells to a party on a day. */
export function hotelsSoldTo(
  party: SampleParty,
  nights: Duration,
  day: number,
  { resort, market, breadth, peakBreadth, servedFrom }: Allotment,
  nth: number,
): number {
  const departure = fromDayNumber(day);
  const isMain = servedFrom[nth]?.isMain === true;
  const isHoliday = isSchoolHoliday(departure) && nights >= 7;
  const isPeak = isMain && peakBreadth > 0 && (isHoliday || nights >= LONG_STAY);
  const isOutOfSeason = seasonFactor(market.season, departure) < OUT_OF_SEASON;
  const share =
    (isOutOfSeason ? OPEN_OUT_OF_SEASON : 1) * (isMain || nights === 7 || nights === 10 ? 1 : QUIET_SHARE);
  const open = Math.max(Math.ceil(breadth * share), isPeak ? peakBreadth : 0);
  if (party.hotelsSold === null || (isPeak && isHoliday && party.children > 0)) return open;
  const weight = isMain ? MAIN_WEIGHT : QUIET_WEIGHT;
  const wanted = party.hotelsSold[nights] * weight * Math.sqrt(breadth / MEAN_BREADTH);
  const phase = ((resort + day + 2 * nth + 3 * party.id + nights) * GOLDEN_RATIO) % 1;
  return Math.min(open, Math.floor(wanted + phase));
}
