import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { type Destination, parseDestinations } from '../../domain/destination.ts';
import { seeded } from '../../tests/fixtures/alerts/seeded.ts';

const LISTS = join(import.meta.dirname, '../../assets');
const MINUTES_A_DAY = 24 * 60;

/** A hotel as its provider describes it. */
export interface MarketHotel {
  code: string;
  name: string;
  place: Destination;
  airport: string;
  stars: number;
  rating: number;
  latitude: number;
  longitude: number;
  image: string;
}

/** A flight on one day. Minutes are local to its origin. */
export interface MarketFlight {
  number: string;
  airline: string;
  departureMinute: number;
  minutes: number;
}

export interface Market {
  hotels: readonly MarketHotel[];
  departures: readonly string[];
  rooms: readonly string[];
  /** A flight sold on this route and day. `nth` chooses one of that day's flights. */
  flight(from: string, to: string, day: number, nth: number): MarketFlight;
}

/** Arrival airports by country, and by how many hours they are ahead of London. */
const ARRIVALS: Readonly<Record<string, { airports: readonly string[]; ahead: number }>> = {
  Spain: { airports: ['PMI', 'ALC', 'AGP', 'IBZ', 'REU', 'MAH'], ahead: 1 },
  Greece: { airports: ['HER', 'RHO', 'CFU', 'KGS', 'ZTH', 'CHQ'], ahead: 2 },
  Portugal: { airports: ['FAO', 'LIS', 'OPO'], ahead: 0 },
  Italy: { airports: ['NAP', 'CTA', 'VRN', 'OLB'], ahead: 1 },
  Cyprus: { airports: ['PFO', 'LCA'], ahead: 2 },
  Malta: { airports: ['MLA'], ahead: 1 },
};
const ELSEWHERE = { airports: ['BCN', 'NCE', 'SPU', 'DBV'], ahead: 1 };

const DEPARTURES = [
  'LGW',
  'LHR',
  'STN',
  'LTN',
  'MAN',
  'BHX',
  'BRS',
  'EDI',
  'GLA',
  'NCL',
  'LPL',
  'LBA',
  'EMA',
  'CWL',
];
const AIRLINES = [
  ['U2', 'easyJet'],
  ['LS', 'Jet2.com'],
  ['FR', 'Ryanair'],
  ['BY', 'TUI Airways'],
  ['BA', 'British Airways'],
  ['VY', 'Vueling Airlines'],
  ['W9', 'Wizz Air UK'],
] as const;
const FIRST = [
  'Iberostar Selection',
  'Gran Hotel',
  'Hôtel',
  'Apartamentos Turísticos',
  'Meliá',
  'Club',
  'TUI BLUE',
];
const SECOND = [
  'Playa',
  'Côte d’Azur',
  'Sol y Mar',
  'Jardín',
  'Bahía',
  'Niriides',
  'São Rafael',
  'Peñón',
  'Lagoon',
];
const THIRD = [
  'Palace',
  'Resort & Spa',
  'Suites',
  'Beach Hotel – Adults Only (16+)',
  'Aquapark',
  'Boutique',
  '',
];
const BEDS = [
  'Double',
  'Twin',
  'Double or twin',
  'Family',
  'Junior suite',
  'Studio',
  'One-bedroom apartment',
  'Triple',
];
const VIEWS = [
  '',
  ' with sea view',
  ' with garden view',
  ' with side sea view',
  ' with balcony',
  ' with pool view',
];
const TERMS = [
  '',
  ' (non-refundable)',
  ', sofa bed for a child',
  ' - Promo',
  ' for sole use',
  ' – déjà réservé',
];

/**
 * Invented hotels in the resorts of the destination list, and a timetable. The same seed gives the same
 * market.
 */
export function realisticMarket(seed: number, hotels: number): Market {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => at(items, Math.floor(random() * items.length));
  const places = parseDestinations(readFileSync(join(LISTS, 'locations.csv'), 'utf8'));
  return {
    departures: DEPARTURES,
    rooms: BEDS.flatMap((bed) => VIEWS.flatMap((view) => TERMS.map((term) => `${bed} room${view}${term}`))),
    hotels: Array.from({ length: hotels }, (_, nth) => {
      const place = pick(places);
      return {
        code: `${place.country.slice(0, 2).toUpperCase()}${100_000 + nth * 7}`,
        name: `${pick(FIRST)} ${pick(SECOND)} ${place.resort} ${pick(THIRD)} ${nth % 97}`.replace(
          / {2,}/g,
          ' ',
        ),
        place,
        airport: pick(arrivalsIn(place.country).airports),
        stars: 2 + Math.floor(random() * 7) / 2,
        rating: Math.round(60 + random() * 38) / 10,
        latitude: Number((27 + random() * 18).toFixed(6)),
        longitude: Number((-17 + random() * 50).toFixed(6)),
        image: `https://img.made.example/hotels/${100_000 + nth * 7}/${Math.floor(random() * 1e9).toString(36)}-1600x900.jpg`,
      };
    }),
    flight(from, to, day, nth) {
      const route = mixed(hashOf(from, to), nth);
      const [code, airline] = at(AIRLINES, route % AIRLINES.length);
      // A flight keeps its number for a season, but its times change with the week and the weekday.
      const moved = mixed(route, Math.floor(day / 7) * 7 + (day % 7 < 5 ? 0 : day % 7));
      return {
        number: `${code}${1_000 + (route % 7_999)}`,
        airline,
        departureMinute: 300 + ((route % 200) + (moved % 6)) * 5,
        minutes: 110 + (route % 25) * 5 + (moved % 3) * 5,
      };
    },
  };
}

export function arrivalsIn(country: string): { airports: readonly string[]; ahead: number } {
  return ARRIVALS[country] ?? ELSEWHERE;
}

/** A day and minute in ISO 8601, in a time zone `ahead` hours ahead of London. */
export function clockText(day: CalendarDate, minute: number, ahead: number): string {
  const date = minute < MINUTES_A_DAY ? day : addDays(day, Math.floor(minute / MINUTES_A_DAY));
  const offset = ahead + (isSummer(date) ? 1 : 0);
  const ofDay = minute % MINUTES_A_DAY;
  return `${date}T${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}:00+${two(offset)}:00`;
}

/** Whether a day is in Europe's summer time, from the last Sunday of March to the last of October. */
function isSummer(date: CalendarDate): boolean {
  const year = date.slice(0, 4);
  return date >= lastSunday(`${year}-03-31`) && date < lastSunday(`${year}-10-31`);
}

const lastSundays = new Map<CalendarDate, CalendarDate>();

function lastSunday(end: CalendarDate): CalendarDate {
  const known = lastSundays.get(end);
  if (known !== undefined) return known;
  // 1970-01-01 was a Thursday.
  const sunday = addDays(end, -((dayNumber(end) + 4) % 7));
  lastSundays.set(end, sunday);
  return sunday;
}

export function mixed(one: number, other: number): number {
  let hash = Math.imul(one ^ (other * 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}

export function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function hashOf(from: string, to: string): number {
  let hash = 7;
  for (const letter of `${from}${to}`) hash = Math.imul(hash, 31) + letter.charCodeAt(0);
  return hash >>> 0;
}
