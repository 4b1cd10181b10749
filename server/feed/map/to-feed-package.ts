import { BOARD_BASIS } from '../../../domain/board-basis.ts';
import { dayNumber, departureWindow, todayInLondon } from '../../../domain/calendar-date.ts';
import { byHotelFact } from '../../../domain/hotel-facts.ts';
import { seaDistanceKm } from '../../inventory/coast.ts';
import { UNKNOWN_LUGGAGE } from '../../inventory/offer-columns.ts';
import { extrasCode } from '../../inventory/offer-extras.ts';
import { memoize } from '../../lib/memoize.ts';
import { type ParsedLink, parseFeedLink, upgradedLink } from '../formats/feed-link.ts';
import type { Fingerprint } from '../formats/fingerprint.ts';
import type { FlatItem } from '../formats/flat-item.ts';
import type { Problem } from '../formats/raw-row.ts';
import { codeOfRoom, codeOfText } from './code-of-text.ts';
import type { FeedAirports } from './feed-airports.ts';
import { flightReader } from './feed-flights.ts';
import type { FeedPackage } from './feed-package.ts';
import type { FeedPlace } from './feed-places.ts';
import type { HolidayProvider } from './holiday-providers.ts';

/** Pence per adult or child. A price outside this range must be a mistake, such as one in another currency. */
const MIN_PENCE_EACH = 3_000;
const MAX_PENCE_EACH = 2_500_000;
/** The largest price that the store can hold. */
const MAX_PENCE = 33_554_431;

const NO_PRICE = 'is not a plausible price for the party';

/** A feed has few days and rooms, each in many rows. */
const KEPT_TEXTS = 20_000;

const MS_A_MINUTE = 60_000;
const MINUTES_A_DAY = 24 * 60;
const DEFAULT_ADULTS = 2;
/** The most photos of a hotel. */
const MAX_PHOTOS = 8;

export interface FeedContext {
  provider: HolidayProvider;
  airports: FeedAirports;
  findPlace(country: string, region: string | undefined, resort: string): FeedPlace | null;
  now: number;
  /** Whether the feed has changes only, among them deletions. */
  isChanges: boolean;
}

export type CheckedPackage =
  | { kind: 'package'; package: FeedPackage }
  /** Valid, but not on sale. */
  | { kind: 'left out'; problems: readonly Problem[] }
  | { kind: 'refused'; problems: readonly Problem[] };

/** Makes a package from an item, and checks fields against each other. */
export function packageChecker(
  context: FeedContext,
): (item: FlatItem, line: number, fingerprint: Fingerprint | null) => CheckedPackage {
  const { provider, airports, findPlace, now, isChanges } = context;
  const { earliest, latest } = departureWindow(todayInLondon(now));
  const nowMinute = Math.floor(now / MS_A_MINUTE);
  const readFlights = flightReader(airports);
  const dayOf = memoize(KEPT_TEXTS, dayNumber);
  const roomCode = memoize(KEPT_TEXTS, codeOfRoom);

  return (item, line, fingerprint) => {
    const isDeleted = isChanges && (item.Deleted === true || item.InStock === false);
    const left = isDeleted ? null : notOnSale(item, now);
    if (left !== null) return { kind: 'left out', problems: [left] };
    const problems: Problem[] = [];
    const refuse = (field: string, value: unknown, reason: string) => problems.push({ field, value, reason });

    const adults = item.NumberOfAdults ?? DEFAULT_ADULTS;
    const children = item.NumberOfChildren ?? 0;
    const heads = adults + children;
    const { TotalPrice: price, TotalPriceBeforeDiscount: before, LocalCharges: stated } = item;
    const most = Math.min(heads * MAX_PENCE_EACH, MAX_PENCE);
    if (!isDeleted && (price < heads * MIN_PENCE_EACH || price > most)) {
      refuse('TotalPrice', price / 100, NO_PRICE);
    }
    if (before !== undefined && before > most) refuse('TotalPriceBeforeDiscount', before / 100, NO_PRICE);
    if (stated !== undefined && (stated < 0 || price + stated > MAX_PENCE))
      refuse('LocalCharges', stated / 100, NO_PRICE);
    if (isChanges && item.Sequence === undefined) refuse('Sequence', undefined, 'is missing');
    if (item.Brand !== undefined && item.Brand.toUpperCase() !== provider.code) {
      refuse('Brand', item.Brand, 'is the code of a different provider');
    }
    if (item.DepartureDate < earliest || item.DepartureDate > latest) {
      refuse('DepartureDate', item.DepartureDate, 'is not from tomorrow to 18 months ahead');
    }
    const departureDay = dayOf(item.DepartureDate);
    const departed = (departureDay + 1) * MINUTES_A_DAY;
    const expiresAt =
      item.Expiry === undefined
        ? departed
        : Math.min(departed, Math.floor(Date.parse(item.Expiry) / MS_A_MINUTE));
    if (expiresAt <= nowMinute && item.Expiry !== undefined) refuse('Expiry', item.Expiry, 'has passed');
    const place = findPlace(item.HolidayCountry, item.HolidayRegion, item.HolidayResort);
    if (place === null) {
      refuse('HolidayRegion', item.HolidayResort, 'is missing and cannot be found in the destination list');
    }
    if ((item.Latitude === undefined) !== (item.Longitude === undefined)) {
      refuse('Latitude', item.Latitude ?? item.Longitude, 'has no matching coordinate');
    }
    const link = linkOf(item, provider);
    if (link?.kind === 'refused') refuse('DeeplinkUrl', item.DeeplinkUrl, link.reason);
    if (link === null && provider.linkTemplate === null && !isDeleted)
      refuse('DeeplinkUrl', undefined, 'is missing');
    const flights = readFlights(item);
    if (flights.kind === 'refused') problems.push(...flights.problems);
    if (problems.length > 0 || place === null || flights.kind === 'refused')
      return { kind: 'refused', problems };

    const description = item.RoomTypeDescription ?? '';
    return {
      kind: 'package',
      package: {
        line,
        fingerprint,
        hotel: {
          code: item.HotelIdentifierCode ?? codeOfText(`${item.HotelName} ${place.resort} ${place.region}`),
          name: item.HotelName,
          halfStars: (item.StarRating ?? 0) * 2,
          ...byHotelFact((_, { field }) => item[field] ?? null),
          seaDistance: item.SeaDistance ?? seaDistanceOf(item),
          latitude: item.Latitude ?? null,
          longitude: item.Longitude ?? null,
          photos: photosOf(item, provider),
          facilities: item.HotelFacilities || null,
          description: item.HotelDescription || null,
          childPrices: item.ChildPrices || null,
        },
        place,
        airport: item.DepartureAirportCode_Outbound,
        departureDay,
        nights: item.Duration,
        adults,
        children,
        infants: item.NumberOfInfants ?? 0,
        board: isKnownBoard(item.BoardBasis) ? item.BoardBasis : 'NA',
        room: { code: roomCode(description), description },
        price,
        priceBefore: before !== undefined && before > price ? before : null,
        localCharges: stated ?? (provider.pricesIncludeLocalCharges ? 0 : null),
        outbound: flights.outbound,
        inbound: flights.inbound,
        luggage: item.LuggageIncluded ?? UNKNOWN_LUGGAGE,
        extras: extrasCode({
          transfer: item.TransferIncluded ?? null,
          holdKg: item.HoldBagKg ?? null,
          cabinKg: item.CabinBagKg ?? null,
        }),
        expiresAt,
        isDeleted,
        sequence: item.Sequence ?? null,
        link: link?.kind === 'link' ? link.href : null,
      },
    };
  };
}

/** A code without words would be shown as it is: visitors see no board instead. */
export function isKnownBoard(code: string | undefined): code is string {
  return code !== undefined && Object.hasOwn(BOARD_BASIS, code);
}

function linkOf({ DeeplinkUrl }: FlatItem, { linkHosts, upgradeHosts }: HolidayProvider): ParsedLink | null {
  if (DeeplinkUrl === undefined) return null;
  return parseFeedLink(upgradedLink(DeeplinkUrl.trim(), upgradeHosts), linkHosts);
}

/** The photos on the provider's hosts. Leaves out others, because a package can be sold without photos. */
function photosOf({ HotelImages = '' }: FlatItem, { photoHosts }: HolidayProvider): string | null {
  if (HotelImages === '' || photoHosts.length === 0) return null;
  const links = HotelImages.split(' ').map((url) => parseFeedLink(upgradedLink(url, photoHosts), photoHosts));
  const listed = new Set(links.flatMap((link) => (link.kind === 'link' ? [link.href] : [])));
  return [...listed].slice(0, MAX_PHOTOS).join(' ') || null;
}

function notOnSale({ Deleted, InStock, ValidFrom }: FlatItem, now: number): Problem | null {
  if (Deleted === true) return { field: 'Deleted', value: Deleted, reason: 'marks it as deleted' };
  if (InStock === false) return { field: 'InStock', value: InStock, reason: 'marks it as sold out' };
  if (ValidFrom !== undefined && Date.parse(ValidFrom) > now) {
    return { field: 'ValidFrom', value: ValidFrom, reason: 'marks it as not on sale yet' };
  }
  return null;
}

function seaDistanceOf({ Latitude, Longitude }: FlatItem): number | null {
  return Latitude === undefined || Longitude === undefined ? null : seaDistanceKm(Latitude, Longitude);
}
