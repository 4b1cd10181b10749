import { fromDayNumber } from '../../domain/calendar-date.ts';
import { memoize } from '../lib/memoize.ts';
import { type Catalogue, recordOf } from './catalogue.ts';
import type { OfferRow } from './inventory.ts';
import type { OfferKey } from './offer-columns.ts';

/** An offer's key in public codes, percent-encoded: what its ItemKey and its deep link are made of. */
export interface OfferCodes {
  provider: string;
  hotel: string;
  airport: string;
  /** Departure, YYYY-MM-DD. */
  date: string;
  nights: string;
  board: string;
  room: string;
  /** Adults, children and infants, such as 2-0-0. */
  party: string;
}

/** More than there are hotels or days; each list of codes is kept apart. */
const KEPT_CODES = 50_000;

/** Tells offers' codes. Each code is looked up and encoded once. */
export function offerCodes(catalogue: Catalogue): (offer: OfferRow | OfferKey) => OfferCodes {
  const codeOf = (records: { get(id: number): { code: string } | undefined }) =>
    memoize(KEPT_CODES, (id) => encodeURIComponent(recordOf(records, id).code));
  const providerCode = codeOf(catalogue.providers);
  const hotelCode = codeOf(catalogue.hotels);
  const airportCode = codeOf(catalogue.airports);
  const boardCode = codeOf(catalogue.boards);
  const roomCode = codeOf(catalogue.rooms);
  const party = memoize(KEPT_CODES, (id) => partyCode(recordOf(catalogue.parties, id)));
  const date = memoize(KEPT_CODES, fromDayNumber);
  return (offer) => ({
    provider: providerCode(offer[10]),
    hotel: hotelCode(offer[7]),
    airport: airportCode(offer[6]),
    date: date(offer[0]),
    nights: String(offer[1]),
    board: boardCode(offer[8]),
    room: roomCode(offer[9]),
    party: party(offer[2]),
  });
}

/** Adults, children and infants, such as 2-0-0. */
export function partyCode(party: { adults: number; children: number; infants: number }): string {
  return `${party.adults}-${party.children}-${party.infants}`;
}
