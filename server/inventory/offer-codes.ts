import { fromDayNumber } from '../../domain/calendar-date.ts';
import { partyCode } from '../../domain/party.ts';
import { memoize } from '../lib/memoize.ts';
import { type Catalogue, recordOf } from './catalogue.ts';
import type { OfferRow } from './inventory.ts';
import type { OfferKey } from './offer-columns.ts';
import { OFFER } from './offer-columns.ts';

/** An offer's key as public codes, percent-encoded, for its ItemKey and its deep link. */
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

/** Codes of each kind that are cached. */
const CACHED_CODES = 25_000;

/** The codes of offers. Each code is looked up and encoded once. */
export function offerCodes(catalogue: Catalogue): (offer: OfferRow | OfferKey) => OfferCodes {
  const codeOf = (records: { get(id: number): { code: string } | undefined }) =>
    memoize(CACHED_CODES, (id) => encodeURIComponent(recordOf(records, id).code));
  const providerCode = codeOf(catalogue.providers);
  const hotelCode = codeOf(catalogue.hotels);
  const airportCode = codeOf(catalogue.airports);
  const boardCode = codeOf(catalogue.boards);
  const roomCode = codeOf(catalogue.rooms);
  const party = memoize(CACHED_CODES, (id) => partyCode(recordOf(catalogue.parties, id)));
  const date = memoize(CACHED_CODES, fromDayNumber);
  return (offer) => ({
    provider: providerCode(offer[OFFER.provider]),
    hotel: hotelCode(offer[OFFER.hotel]),
    airport: airportCode(offer[OFFER.airport]),
    date: date(offer[OFFER.departureDay]),
    nights: String(offer[OFFER.nights]),
    board: boardCode(offer[OFFER.board]),
    room: roomCode(offer[OFFER.room]),
    party: party(offer[OFFER.party]),
  });
}
