import { chargeAt, type StayCharge } from '../../domain/local-charges.ts';
import type { Pence } from '../../domain/money.ts';
import { partyCode } from '../../domain/party.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import { deepLinkOf } from '../inventory/deep-link.ts';
import { isFreeChildRoom } from '../inventory/free-child-room.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { type OfferCharges, totalPrice } from '../inventory/offer-charges.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER, UNKNOWN_LUGGAGE } from '../inventory/offer-columns.ts';
import { charactersOfText, memoize, memoizeAll, memoizeBytes } from '../lib/memoize.ts';
import { flightTexts } from './flight-text.ts';
import type { PriceTokens } from './price-token.ts';

/** The JSON text of a search item (Section 3, ruling 15); `now` is in minutes since the epoch. */
export type ItemText = (offer: OfferRow, now: number) => string;

/** Cache bytes for each kind of fragment. */
const CACHED_BYTES = 4 * 2 ** 20;

const MAX_INSTANTS = 20_000;

/**
 * Assembles item texts from cached fragments, one per hotel, resort, flight on a day, party and so on:
 * serialising objects would cost several times the search. The caches count bytes, because a market's names
 * may be long.
 */
export function itemTexts(catalogue: Catalogue, tokens: PriceTokens): ItemText {
  const flights = flightTexts(catalogue);
  const cached = (textOf: (id: number) => string) => memoizeBytes(CACHED_BYTES, textOf, charactersOfText);
  const place = memoizeAll((resortId) => {
    const resort = recordOf(catalogue.resorts, resortId);
    const region = recordOf(catalogue.regions, resort.region);
    const country = recordOf(catalogue.countries, region.country);
    return fields({ HolidayCountry: country.name, HolidayRegion: region.name, HolidayResort: resort.name });
  });
  const hotel = cached((id) => {
    const { code, name, halfStars, consumerRating, longitude, latitude } = recordOf(catalogue.hotels, id);
    return fields({
      Hotel: JSON.stringify({
        HotelName: name,
        StarRating: halfStars / 2,
        ConsumerRating: consumerRating,
        Longitude: longitude,
        Latitude: latitude,
      }),
      HotelIdentifierCode: code,
    });
  });
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
  const room = cached((id) => {
    const { code, description } = recordOf(catalogue.rooms, id);
    return fields({ FreeChild: isFreeChildRoom(code), RoomTypeDescription: description });
  });
  const board = memoizeAll((id) => fields({ BoardBasis: recordOf(catalogue.boards, id).code }));
  const provider = memoizeAll((id) => fields({ Brand: recordOf(catalogue.providers, id).code }));
  // Percent-encoded codes need no JSON escaping, so a link from an escaped template is escaped.
  const linkTemplate = (id: number) => escapedTwice(recordOf(catalogue.providers, id).linkTemplate ?? '');
  const escapedLink = memoizeAll((id) => deepLinkOf(linkTemplate(id)));
  const instant = memoize(MAX_INSTANTS, (minute) => new Date(minute * 60_000).toISOString());
  const codesOf = offerCodes(catalogue);
  const chargesOf = chargesText(catalogue.charges);

  return (offer, now) => {
    const [day, nights, partyId, , , resortId, , hotelId, boardId, roomId, providerId, price] = offer;
    const total = totalPrice(offer);
    const priceBefore = offer[OFFER.priceBefore];
    const before = priceBefore === null ? null : priceBefore + total - price;
    const ownLink = offer[OFFER.link];
    const luggage = offer[OFFER.luggage] === UNKNOWN_LUGGAGE ? null : offer[OFFER.luggage];
    const codes = codesOf(offer);
    const key = itemKeyOf(codes);
    const seen = instant(offer[OFFER.seenAt]);
    const link = ownLink === null ? escapedLink(providerId)(codes) : escapedTwice(ownLink);
    return (
      `{"ItemKey":"${key}","Id":"${key}","TotalPrice":${total / 100},${place(resortId)},${hotel(hotelId)},` +
      `${flights(day, nights, offer[OFFER.outboundFlight], offer[OFFER.inboundFlight])},"DepartureDate":"${codes.date}","Duration":${nights},` +
      `"AdditionalData":${additionalData(link, before, tokens.issue(key, price, now), price, chargesOf(offer))},${board(boardId)},${provider(providerId)},` +
      `${party(partyId)},${room(roomId)},"LuggageIncluded":${luggage},"EventId":"${key}@${seen}",` +
      `"EventTime":"${seen}","Expiry":"${instant(offer[OFFER.expiresAt])}"}`
    );
  };
}

/** AdditionalData: JSON text inside JSON text. Omits fields without a value. */
function additionalData(
  escapedLink: string,
  priceBefore: Pence | null,
  token: string,
  providerPrice: Pence,
  charges: string,
): string {
  const before = priceBefore === null ? '' : `,\\"TotalPriceBeforeDiscount\\":${priceBefore / 100}`;
  const price = `\\"ProviderPrice\\":${providerPrice / 100},${charges}`;
  return `"{\\"DeeplinkUrl\\":\\"${escapedLink}\\"${before},${price},\\"PriceToken\\":\\"${token}\\"}"`;
}

/** The fields of AdditionalData about an offer's local charges, escaped. Offers of like stays share their text. */
function chargesText(charges: OfferCharges): (offer: OfferRow) => string {
  const texts = new WeakMap<readonly StayCharge[], string>();
  const escaped = (total: Pence | null, parts: readonly object[]) => {
    const LocalCharges = total === null ? null : total / 100;
    return escapedOnce(
      fields(parts.length === 0 ? { LocalCharges } : { LocalCharges, LocalChargeParts: parts }),
    );
  };
  const unknown = escaped(null, []);
  return (offer) => {
    const found = charges.of(offer);
    if (found === null) return unknown;
    const price = offer[OFFER.price];
    const total = totalPrice(offer) - price;
    if (found === 'stated') return escaped(total, []);
    const made =
      texts.get(found) ??
      escaped(
        total,
        found.map((charge) => partOf(charge, price, charges.rates)),
      );
    if (found.every(({ percent }) => percent === 0)) texts.set(found, made);
    return made;
  };
}

/** A charge on the wire, in pounds and in its currency. */
function partOf(charge: StayCharge, price: Pence, rates: OfferCharges['rates']): object {
  const { name, currency, local, percent } = charge;
  const part = { Name: name, Pounds: chargeAt(charge, price) / 100 };
  const rate = rates[currency];
  if (rate === undefined) return { ...part, Percent: percent / 10_000 };
  return {
    ...part,
    Currency: currency,
    Amount: local / 10_000,
    PerPound: rate.perPound / 1_000_000,
    RateDate: rate.date,
  };
}

/** JSON text escaped for a JSON string, without quotation marks. */
function escapedOnce(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A text escaped for a JSON string inside a JSON string, without quotation marks. */
function escapedTwice(text: string): string {
  return escapedOnce(escapedOnce(text));
}

/** The fields of an object's JSON text, without its braces. */
function fields(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
