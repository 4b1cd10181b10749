import { byHotelFactField } from '../../../domain/hotel-facts.ts';
import { partyCode } from '../../../domain/party.ts';
import { type Catalogue, recordOf } from '../../inventory/catalogue.ts';
import { deepLinkOf } from '../../inventory/deep-link.ts';
import { isFreeChildRoom } from '../../inventory/free-child-room.ts';
import { itemKeyOf } from '../../inventory/item-key.ts';
import type { Offer } from '../../inventory/offer.ts';
import { fields } from '../../inventory/offer-charges.ts';
import { offerCodes } from '../../inventory/offer-codes.ts';
import { UNKNOWN_LUGGAGE } from '../../inventory/offer-columns.ts';
import type { PhotoPaths } from '../../inventory/photo-path.ts';
import { charactersOfText, memoizeAll, memoizeBytes } from '../../lib/memoize.ts';
import type { PriceTokens } from '../tokens/price-token.ts';
import { flightTexts } from './flight-text.ts';

/** The JSON text of a search item (Section 3); `now` is in minutes since the epoch. */
export type ItemText = (offer: Offer, now: number) => string;

/** Cache bytes for the texts of hotels, whose photos have signed paths. */
const HOTEL_BYTES = 4 * 2 ** 20;

/**
 * Assembles item texts from cached fragments, one per hotel, resort, flight, party and so on: serialising objects
 * would cost several times the search. Short fragments of large dictionaries are not cached, because misses cost
 * more than hits save.
 */
export function itemTexts(
  catalogue: Catalogue,
  tokens: PriceTokens,
  photos: PhotoPaths | null = null,
): ItemText {
  const flights = flightTexts(catalogue);
  const place = memoizeAll((resortId) => {
    const resort = recordOf(catalogue.resorts, resortId);
    const region = recordOf(catalogue.regions, resort.region);
    const country = recordOf(catalogue.countries, region.country);
    return fields({ HolidayCountry: country.name, HolidayRegion: region.name, HolidayResort: resort.name });
  });
  const hotelText = (id: number) => {
    const record = recordOf(catalogue.hotels, id);
    const { code, name, halfStars, longitude, latitude } = record;
    const images = record.photos && photos && record.photos.split(' ').map(photos.pathOf);
    return fields({
      Hotel: JSON.stringify({
        HotelName: name,
        StarRating: halfStars / 2,
        ...byHotelFactField((fact) => record[fact] ?? null),
        Longitude: longitude,
        Latitude: latitude,
        ...(images && { HotelImages: images }),
      }),
      HotelIdentifierCode: code,
    });
  };
  const hotel = memoizeBytes(HOTEL_BYTES, hotelText, charactersOfText);
  const party = memoizeAll((id) => {
    const { adults, children, infants } = recordOf(catalogue.parties, id);
    return fields({
      NumberOfAdults: adults,
      NumberOfChildren: children,
      NumberOfInfants: infants,
      Occupancy: partyCode({ adults, children, infants }),
      RoomCount: 1,
    });
  });
  const room = (id: number) => {
    const { code, description } = recordOf(catalogue.rooms, id);
    return fields({ FreeChild: isFreeChildRoom(code), RoomTypeDescription: description });
  };
  const board = memoizeAll((id) => fields({ BoardBasis: recordOf(catalogue.boards, id).code }));
  const brand = memoizeAll((id) => fields({ Brand: recordOf(catalogue.providers, id).code }));
  // Percent-encoded codes need no JSON escaping, so a link from an escaped template is escaped.
  const linkTemplate = (id: number) => escaped(escaped(recordOf(catalogue.providers, id).linkTemplate ?? ''));
  const escapedLink = memoizeAll((id) => deepLinkOf(linkTemplate(id)));
  const codesOf = offerCodes(catalogue);
  const [seenAt, expiresAt] = [instants(), instants()];

  return (offer, now) => {
    const { departureDay, nights, provider, price, outboundFlight, inboundFlight } = offer;
    const luggage = offer.luggage === UNKNOWN_LUGGAGE ? null : offer.luggage;
    const codes = codesOf(offer.row);
    const key = itemKeyOf(codes);
    const seen = seenAt(offer.seenAt);
    const link = offer.link === null ? escapedLink(provider)(codes) : escaped(escaped(offer.link));
    return (
      `{"ItemKey":"${key}","Id":"${key}","TotalPrice":${offer.total / 100},${place(offer.resort)},${hotel(offer.hotel)},` +
      `${flights(departureDay, nights, outboundFlight, inboundFlight)},"DepartureDate":"${codes.date}","Duration":${nights},` +
      `"AdditionalData":${additionalData(link, offer, catalogue.charges.fieldsOf(offer.row), tokens.issue(key, price, now))},${board(offer.board)},${brand(provider)},` +
      `${party(offer.party)},${room(offer.room)},"LuggageIncluded":${luggage},"EventId":"${key}@${seen}",` +
      `"EventTime":"${seen}","Expiry":"${expiresAt(offer.expiresAt)}"}`
    );
  };
}

/** AdditionalData: JSON text inside JSON text. Omits fields without a value. */
function additionalData(
  escapedLink: string,
  { price, priceBefore, total }: Offer,
  charges: string,
  token: string,
): string {
  const totalBefore = priceBefore === null ? null : priceBefore + total - price;
  const before = totalBefore === null ? '' : `,\\"TotalPriceBeforeDiscount\\":${totalBefore / 100}`;
  const parts = `\\"ProviderPrice\\":${price / 100},${escaped(charges)}`;
  return `"{\\"DeeplinkUrl\\":\\"${escapedLink}\\"${before},${parts},\\"PriceToken\\":\\"${token}\\"}"`;
}

/** JSON text escaped for a JSON string, without quotation marks. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Writes instants. Most offers of a feed have the same ones, so the last is kept. */
function instants(): (minute: number) => string {
  let last = { minute: Number.NaN, text: '' };
  return (minute) => {
    if (minute !== last.minute) last = { minute, text: new Date(minute * 60_000).toISOString() };
    return last.text;
  };
}
