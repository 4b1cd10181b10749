import type { HotelFacts } from '../../domain/hotel-facts.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { Pence } from '../../domain/money.ts';
import type { PriceStanding } from '../../domain/price-standing.ts';
import type { OfferKey } from './offer-columns.ts';

/**
 * The inventory: dictionaries (`ReferenceData`), and a row of about 50 bytes per package (`OfferRow`) that
 * refers to them by ID. IDs are small positive integers, unique in their dictionary and never reused. Region
 * IDs are unique across countries.
 */
export interface ReferenceData {
  countries: readonly { id: number; name: string }[];
  regions: readonly { id: number; country: number; name: string }[];
  resorts: readonly { id: number; region: number; name: string }[];
  /** Both ends of flights. `timezone` is an IANA name: the API has local times with an offset. */
  airports: readonly { id: number; code: string; name: string; timezone: string }[];
  /** `linkTemplate` makes the deep links of offers that have none (`deep-link.ts`). */
  providers: readonly { id: number; code: string; name: string; linkTemplate: string | null }[];
  hotels: readonly HotelRecord[];
  flights: readonly FlightRecord[];
  boards: readonly { id: number; code: string }[];
  rooms: readonly { id: number; code: string; description: string }[];
  parties: readonly { id: number; adults: number; children: number; infants: number }[];
}

/** Dictionaries that do not grow with the packages, and are read completely. */
export type NameData = Omit<ReferenceData, keyof RecordData>;

/**
 * The dictionaries, and if there are any, the charges payable at the resort, groups of records that are one hotel, and
 * the providers' standings by code.
 */
export type NamesAndCharges = NameData & {
  charges?: ChargeTable;
  sameHotels?: readonly (readonly number[])[];
  standings?: ReadonlyMap<string, PriceStanding>;
};

/** Dictionaries that grow with the packages, and are read record by record. */
export type RecordData = Pick<ReferenceData, 'hotels' | 'flights' | 'rooms'>;

/** What feeds write about a hotel, if they do: URLs of photos, separated by spaces; facilities, one a line; sentences. */
export const HOTEL_TEXTS = ['photos', 'facilities', 'description', 'childPrices'] as const;

export type HotelText = (typeof HOTEL_TEXTS)[number];

export interface HotelRecord extends HotelFacts, Partial<Record<HotelText, string | null>> {
  id: number;
  /** Unique within its provider. HotelIdentifierCode in the API, and part of the ItemKey. */
  code: string;
  /** The provider that uses the code; null if all providers share it. */
  provider: number | null;
  /** The provider that describes a shared hotel. Null: it is not shared, or the next feed that has it will. */
  describedBy: number | null;
  name: string;
  resort: number;
  /** In half stars: 9 is 4.5 stars. */
  halfStars: number;
  latitude: number | null;
  longitude: number | null;
}

export interface FlightRecord {
  id: number;
  number: string;
  airline: string;
  /** In this and the following fields, null means unknown. */
  origin: number | null;
  destination: number | null;
  /**
   * In minutes after local midnight at the origin; may exceed one day for a night flight home. If clocks go
   * back and the minute occurs twice, `SECOND_TIME` is added for its second occurrence.
   */
  departureMinute: number | null;
  durationSeconds: number | null;
}

/**
 * A package. The first eleven columns are the primary key in clustering order, so that a search reads
 * adjacent rows. Days and minutes count from 1970-01-01.
 */
export type OfferRow = readonly [
  ...key: OfferKey,
  price: Pence,
  priceBefore: Pence | null,
  halfStars: number,
  /** The outbound departure, in minutes after local midnight, for sorting; 0 if unknown. */
  departureMinute: number,
  outboundFlight: number,
  inboundFlight: number,
  /** Pieces in the price; `UNKNOWN_LUGGAGE` if the feed does not say. */
  luggage: number,
  expiresAt: number,
  seenAt: number,
  link: string | null,
  /**
   * Twice the charges payable at the resort, in pence, plus 1 if the feed states them. Otherwise they are from
   * the store's table, and 0 may also mean unknown.
   */
  localCharge: number,
  /** See `offer-extras.ts`. */
  extras: number,
];
