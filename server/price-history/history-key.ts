import type { OfferRow } from '../inventory/inventory.ts';
import type { OfferKey } from '../inventory/offer-columns.ts';

/** The key of a package in the history: an offer's key without places, which the hotel implies. */
export type HistoryKey = readonly [
  departureDay: number,
  nights: number,
  party: number,
  hotel: number,
  airport: number,
  board: number,
  room: number,
  provider: number,
];

export const HISTORY_KEY_COLUMNS = [
  'departure_day',
  'nights',
  'party',
  'hotel',
  'airport',
  'board',
  'room',
  'provider',
] as const;

/** The SQL condition for one package. Its values are a `HistoryKey`. */
export const IS_IN_HISTORY = HISTORY_KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ');

export function historyKeyOf(offer: OfferRow | OfferKey): HistoryKey {
  const [day, nights, party, , , , airport, hotel, board, room, provider] = offer;
  return [day, nights, party, hotel, airport, board, room, provider];
}
