import { dayNumber, parseCalendarDate } from '../../domain/calendar-date.ts';
import type { Catalogue } from './catalogue.ts';
import { type OfferCodes, partyCode } from './offer-codes.ts';
import type { OfferKey } from './package-repository.ts';

/**
 * An offer's ItemKey: provider, hotel, airport, departure, nights, board, room and party by their public codes,
 * with a colon between them. It means the same offer whatever ids the store gives, as long as it is sold.
 */
export function itemKeyOf(codes: OfferCodes): string {
  const { provider, hotel, airport, date, nights, board, room, party } = codes;
  return `${provider}:${hotel}:${airport}:${date}:${nights}:${board}:${room}:${party}`;
}

/** The offer that an ItemKey names, or null where it names none that the dictionaries know. */
export function parseItemKey(itemKey: string, { reference }: Catalogue): OfferKey | null {
  const parts = itemKey.split(':').map(decoded);
  const [providerCode, hotelCode, airportCode, date = '', nights = '', boardCode, roomCode, party] = parts;
  const provider = reference.providers.find(({ code }) => code === providerCode);
  const hotel = reference.hotels.find(
    (one) => one.code === hotelCode && (one.provider === null || one.provider === provider?.id),
  );
  const airport = reference.airports.find(({ code }) => code === airportCode);
  const board = reference.boards.find(({ code }) => code === boardCode);
  const room = reference.rooms.find(({ code }) => code === roomCode);
  const parties = reference.parties.find((one) => partyCode(one) === party);
  const resort = reference.resorts.find(({ id }) => id === hotel?.resort);
  const region = reference.regions.find(({ id }) => id === resort?.region);
  const day = parseCalendarDate(date);
  if (!provider || !hotel || !airport || !board || !room || !parties || !resort || !region) return null;
  if (parts.length !== 8 || day === null || !/^\d{1,3}$/.test(nights)) return null;
  return [
    dayNumber(day),
    Number(nights),
    parties.id,
    region.country,
    region.id,
    resort.id,
    airport.id,
    hotel.id,
    board.id,
    room.id,
    provider.id,
  ];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
