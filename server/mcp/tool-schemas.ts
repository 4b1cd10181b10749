import * as v from 'valibot';
import { BOARD_BASIS } from '../../domain/board-basis.ts';
import { MAX_OF_A_KIND } from '../../domain/party.ts';

// What the tools take and return. Assistants read the descriptions, so each is as short as it can be.

const MAX_NIGHTS = 28;
const MAX_AIRPORTS = 20;

const date = v.pipe(v.string(), v.isoDate('must be a day, YYYY-MM-DD'));
const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const name = v.pipe(v.string(), v.maxLength(200));

const place = v.strictObject({
  country: name,
  region: v.optional(name, ''),
  resort: v.optional(name, ''),
});

const trip = {
  from: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[A-Za-z]{3}$/, 'must be a three-letter airport code'))),
    v.minLength(1),
    v.maxLength(MAX_AIRPORTS),
    v.description('Departure airports, IATA codes; find_places has regions such as London'),
  ),
  nights: v.optional(whole(1, MAX_NIGHTS), 7),
  maxNights: v.optional(v.pipe(whole(1, MAX_NIGHTS), v.description('For stays of nights to maxNights'))),
  adults: v.optional(whole(1, MAX_OF_A_KIND), 2),
  children: v.optional(whole(0, MAX_OF_A_KIND), 0),
  infants: v.optional(whole(0, MAX_OF_A_KIND), 0),
};

const places = v.pipe(
  v.array(place),
  v.maxLength(5),
  v.description('Names exactly as find_places gives them; leave out: anywhere'),
);

export const searchInput = v.strictObject({
  places,
  ...trip,
  date: v.pipe(date, v.description('Departure day, YYYY-MM-DD')),
  flexDays: v.optional(v.pipe(whole(0, 3), v.description('Days before and after date')), 0),
  boards: v.optional(
    v.pipe(
      v.array(v.picklist(Object.keys(BOARD_BASIS))),
      v.description('AI all-inclusive, HB half board, ...'),
    ),
  ),
  minStars: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
  minGuestRating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(10))),
  maxTotal: v.optional(v.pipe(whole(1, 300_000), v.description('Pounds for the whole party'))),
  hotelName: v.optional(name),
  sort: v.optional(v.picklist(['price', 'stars', 'guest rating', 'departure']), 'price'),
  limit: v.optional(whole(1, 20), 5),
});

export const holidayInput = v.strictObject({
  holiday: v.pipe(v.string(), v.maxLength(400), v.description('The holiday of search_holidays')),
});

export const cheapestInput = v.strictObject({
  by: v.pipe(
    v.picklist(['day', 'month', 'country', 'region', 'resort']),
    v.description('One price for each'),
  ),
  places: v.optional(places, []),
  ...trip,
  fromDate: v.pipe(date, v.description('First departure day')),
  toDate: v.pipe(date, v.description('Last departure day, at most 18 months after it')),
});

export const placesInput = v.strictObject({
  text: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(120),
    v.description('A place or an airport in any spelling, one at a time'),
  ),
});

const money = v.pipe(v.number(), v.description('Pounds'));

const total = v.object({
  total: money,
  includes: v.string(),
  toProvider: money,
  atHotel: v.nullable(money),
  per: v.string(),
  asOf: v.string(),
  provider: v.string(),
});

const holiday = v.object({
  holiday: v.string(),
  hotel: v.string(),
  place: v.string(),
  stars: v.nullable(v.number()),
  guestRating: v.nullable(v.number()),
  departs: v.string(),
  nights: v.number(),
  board: v.string(),
  room: v.string(),
  airport: v.string(),
  airline: v.string(),
  price: total,
  link: v.string(),
});

export const searchOutput = v.object({
  count: v.number(),
  holidays: v.array(holiday),
  link: v.string(),
});

export const holidayOutput = v.object({
  ...holiday.entries,
  bags: v.nullable(v.number()),
  outbound: v.string(),
  inbound: v.string(),
  verdict: v.nullable(v.object({ label: v.string(), evidence: v.string() })),
  otherDays: v.array(
    v.object({ departs: v.string(), board: v.string(), total: money, provider: v.string() }),
  ),
  months: v.array(v.object({ month: v.string(), departs: v.string(), total: money })),
  bookAt: v.string(),
});

export const cheapestOutput = v.object({
  prices: v.array(
    v.object({
      of: v.string(),
      departs: v.string(),
      nights: v.number(),
      total: money,
      link: v.nullable(v.string()),
    }),
  ),
  includes: v.string(),
});

export const placesOutput = v.object({
  places: v.array(v.object({ country: v.string(), region: v.string(), resort: v.string() })),
  airports: v.array(v.object({ name: v.string(), codes: v.array(v.string()) })),
  notFound: v.boolean(),
});

export type Trip = Pick<
  v.InferOutput<typeof searchInput>,
  'places' | 'from' | 'nights' | 'maxNights' | 'adults' | 'children' | 'infants'
>;
export type SearchInput = v.InferOutput<typeof searchInput>;
export type CheapestInput = v.InferOutput<typeof cheapestInput>;
export type Holiday = v.InferOutput<typeof holiday>;
