import { dayNumber, parseCalendarDate } from '../../domain/calendar-date.ts';
import { partyCode } from '../../domain/party.ts';
import type { CodedCatalogue } from './catalogue.ts';
import type { OfferCodes } from './offer-codes.ts';
import type { OfferKey } from './offer-columns.ts';

/**
 * An offer's ItemKey: the public codes of provider, hotel, airport, departure, nights, board, room and party,
 * separated by colons. It identifies an offer while it is on sale, even if its IDs in the store change.
 */
export function itemKeyOf(codes: OfferCodes): string {
  const { provider, hotel, airport, date, nights, board, room, party } = codes;
  return `${provider}:${hotel}:${airport}:${date}:${nights}:${board}:${room}:${party}`;
}

/** The key of an ItemKey's offer; null if a code is unknown. */
export async function parseItemKey(itemKey: string, catalogue: CodedCatalogue): Promise<OfferKey | null> {
  const parts = itemKey.split(':').map(decoded);
  const [, , airportCode = '', date = '', nights = ''] = parts;
  const [boardCode = '', roomCode = '', party] = parts.slice(5);
  const isCoded = (code: string) => (record: { code: string }) => record.code === code;
  const airport = catalogue.airportsCoded(airportCode).find(isCoded(airportCode));
  const board = catalogue.boardsCoded(boardCode).find(isCoded(boardCode));
  const parties = [...catalogue.parties.values()].find((one) => partyCode(one) === party);
  if (!airport || !board || !parties) return null;
  const sold = await hotelOfKey(itemKey, catalogue);
  const [room] = await catalogue.roomsCoded(roomCode);
  const resort = sold && catalogue.resorts.get(sold.hotel.resort);
  const region = resort && catalogue.regions.get(resort.region);
  const day = parseCalendarDate(date);
  if (!sold || !room || !resort || !region) return null;
  if (parts.length !== 8 || day === null || !/^\d{1,3}$/.test(nights)) return null;
  return [
    dayNumber(day),
    Number(nights),
    parties.id,
    region.country,
    region.id,
    resort.id,
    airport.id,
    sold.hotel.id,
    board.id,
    room.id,
    sold.provider.id,
  ];
}

/** The provider and the hotel that an ItemKey begins with; null if a code is unknown. */
export async function hotelOfKey(itemKey: string, catalogue: CodedCatalogue) {
  const [providerCode = '', hotelCode = ''] = itemKey.split(':').map(decoded);
  const provider = catalogue.providersCoded(providerCode).find(({ code }) => code === providerCode);
  if (provider === undefined) return null;
  const hotels = await catalogue.hotelsCoded(hotelCode);
  // The provider's own hotel comes first: other providers may share a hotel with the same code.
  const hotel =
    hotels.find((one) => one.provider === provider.id) ?? hotels.find((one) => one.provider === null);
  return hotel === undefined ? null : { provider, hotel };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
