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
} as const;

/** An offer's luggage if its feed does not say. */
export const UNKNOWN_LUGGAGE = -1;

/** An unchanged offer's `seen_at` is rewritten after this many minutes, even on the same day. */
const SEEN_AGAIN_AFTER_MINUTES = 12 * 60;

/**
 * Whether to rewrite an unchanged offer's `seen_at`: after half a day, and on each new day, so that each day
 * it was seen counts.
 */
export function isSeenAgain(seenAt: number, before: number): boolean {
  return seenAt >= before + SEEN_AGAIN_AFTER_MINUTES || Math.floor(seenAt / 1440) > Math.floor(before / 1440);
}

export function seenAgainSql(seenAt: string, before: string): string {
  return `(${seenAt} >= ${before} + ${SEEN_AGAIN_AFTER_MINUTES} or ${seenAt} / 1440 > ${before} / 1440)`;
}

/** The SQL condition that an offer was not seen on some day between two times. */
export function hasGapSql(seenAt: string, before: string): string {
  return `${seenAt} / 1440 > ${before} / 1440 + 1`;
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
