import { londonDay } from '../../domain/london-time.ts';

/** The primary key of `offer`, in order: the first columns of an `OfferRow`. */
export const KEY_COLUMNS = [
  'departure_day',
  'nights',
  'party',
  'country',
  'region',
  'resort',
  'airport',
  'hotel',
  'board',
  'room',
  'provider',
] as const;

/** The other columns of an `OfferRow`, in order. */
export const VALUE_COLUMNS = [
  'price',
  'price_before',
  'half_stars',
  'departure_minute',
  'outbound_flight',
  'inbound_flight',
  'luggage',
  'expires_at',
  'seen_at',
  'link',
  'local_charge',
  'extras',
] as const;

/** The columns of `offer` in the order of an `OfferRow`. */
export const OFFER_COLUMNS = [...KEY_COLUMNS, ...VALUE_COLUMNS] as const;

/**
 * The column after those of an `OfferRow`: the time, in minutes since 1970, since when the package has been seen
 * daily at its current price. 0: unknown.
 */
export const PRICE_SINCE = 'price_since';

/** The index of each column in an `OfferRow`, and of each key column in an `OfferKey`. */
export const OFFER = {
  departureDay: 0,
  nights: 1,
  party: 2,
  country: 3,
  region: 4,
  resort: 5,
  airport: 6,
  hotel: 7,
  board: 8,
  room: 9,
  provider: 10,
  price: 11,
  priceBefore: 12,
  halfStars: 13,
  departureMinute: 14,
  outboundFlight: 15,
  inboundFlight: 16,
  luggage: 17,
  expiresAt: 18,
  seenAt: 19,
  link: 20,
  localCharge: 21,
  extras: 22,
} as const;

/** An offer's luggage if its feed does not say. */
export const UNKNOWN_LUGGAGE = -1;

/** An unchanged offer's `seen_at` is rewritten after this many minutes, even on the same day. */
const SEEN_AGAIN_AFTER_MINUTES = 12 * 60;

/**
 * Whether to rewrite an unchanged offer's `seen_at`: after half a day, and for each other day, so that each day
 * it was seen counts. After a rollback, `seenAt` is the earlier time, and always written.
 */
export function isSeenAgain(seenAt: number, before: number): boolean {
  const isOtherDay = londonDay(seenAt) !== londonDay(before);
  return isOtherDay || seenAt < before || seenAt - before >= SEEN_AGAIN_AFTER_MINUTES;
}

export function seenAgainSql(seenAt: string, before: string): string {
  return `(${seenAt} < ${before} or ${seenAt} - ${before} >= ${SEEN_AGAIN_AFTER_MINUTES} or ${londonDaySql(seenAt)} <> ${londonDaySql(before)})`;
}

/** The SQL condition that an offer was not seen on some day between two times. */
export function hasGapSql(seenAt: string, before: string): string {
  return `${londonDaySql(seenAt)} > ${londonDaySql(before)} + 1`;
}

/**
 * The SQL of `londonDay`, until 2099. Summer time lasts from 01:00 UTC on March's last Sunday to October's, so it is
 * summer if the latest Sunday is from 25 March to 24 October: days 24 to 237 of a year that begins in March.
 */
export function londonDaySql(minute: string): string {
  const day = `(${minute} - 60) / 1440`;
  const sunday = `${day} - (${day} + 4) % 7`;
  return `(${minute} + case when (${sunday} + 671) % 1461 % 365 between 24 and 237 then 60 else 0 end) / 1440`;
}

/** The SQL condition for one offer. Its values are the offer's key. */
export const IS_OFFER = KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ');

/** The key of an offer: the first eleven columns of its row. */
export type OfferKey = readonly [
  departureDay: number,
  nights: number,
  party: number,
  country: number,
  region: number,
  resort: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  provider: number,
];
