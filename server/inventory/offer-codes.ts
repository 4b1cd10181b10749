import { fromDayNumber } from '../../domain/calendar-date.ts';
import { partyCode } from '../../domain/party.ts';
import { charactersOfText, memoize, memoizeAll, memoizeBytes } from '../lib/memoize.ts';
import { type Catalogue, recordOf } from './catalogue.ts';
import type { OfferRow } from './inventory.ts';
import { OFFER, type OfferKey } from './offer-columns.ts';

/** The public codes of an offer's key, percent-encoded for its ItemKey and deep link. */
export interface OfferCodes {
  provider: string;
  hotel: string;
  airport: string;
  /** The departure as YYYY-MM-DD. */
  date: string;
  nights: string;
  board: string;
  room: string;
  /** Adults, children and infants, such as 2-0-0. */
  party: string;
}

/** Enough for some 30,000 hotel codes and as many room codes. */
const CACHED_BYTES = 4 * 2 ** 20;

/** Days of three years. */
const MAX_DAYS = 1_100;

/** Looks up and encodes the codes of offers, and caches them. */
export function offerCodes(catalogue: Catalogue): (offer: OfferRow | OfferKey) => OfferCodes {
  const codeIn = (records: { get(id: number): { code: string } | undefined }) => (id: number) =>
    encodeURIComponent(recordOf(records, id).code);
  const providerCode = memoizeAll(codeIn(catalogue.providers));
  const hotelCode = memoizeBytes(CACHED_BYTES, codeIn(catalogue.hotels), charactersOfText);
  const airportCode = memoizeAll(codeIn(catalogue.airports));
  const boardCode = memoizeAll(codeIn(catalogue.boards));
  const roomCode = memoizeBytes(CACHED_BYTES, codeIn(catalogue.rooms), charactersOfText);
  const party = memoizeAll((id) => partyCode(recordOf(catalogue.parties, id)));
  const date = memoize(MAX_DAYS, fromDayNumber);
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
