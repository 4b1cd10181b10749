import { fromDayNumber } from '../../domain/calendar-date.ts';
import { partyCode } from '../../domain/party.ts';
import { charactersOfText, memoizeBytes } from '../lib/memoize.ts';
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

/** Bytes of the cached codes of each kind: some 30,000 codes. */
const CACHED_BYTES = 4 * 2 ** 20;

/** The codes of offers. Each code is looked up and encoded once, while it is cached. */
export function offerCodes(catalogue: Catalogue): (offer: OfferRow | OfferKey) => OfferCodes {
  const cached = (textOf: (id: number) => string) => memoizeBytes(CACHED_BYTES, textOf, charactersOfText);
  const codeOf = (records: { get(id: number): { code: string } | undefined }) =>
    cached((id) => encodeURIComponent(recordOf(records, id).code));
  const providerCode = codeOf(catalogue.providers);
  const hotelCode = codeOf(catalogue.hotels);
  const airportCode = codeOf(catalogue.airports);
  const boardCode = codeOf(catalogue.boards);
  const roomCode = codeOf(catalogue.rooms);
  const party = cached((id) => partyCode(recordOf(catalogue.parties, id)));
  const date = cached(fromDayNumber);
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
