import type { Pence } from '../../domain/money.ts';
import type { OfferKey } from './offer-columns.ts';

/**
 * The inventory: dictionaries (`ReferenceData`), and one row of about 50 bytes per package (`OfferRow`) that
 * refers to them by id. Ids are small positive integers, unique in their dictionary and never reused. A
 * region's id is unique across countries.
 */
export interface ReferenceData {
  countries: readonly { id: number; name: string }[];
  regions: readonly { id: number; country: number; name: string }[];
  resorts: readonly { id: number; region: number; name: string }[];
  /** Both ends of a flight. `timezone` is an IANA name: flight times on the wire are local with an offset. */
  airports: readonly { id: number; code: string; name: string; timezone: string }[];
  /** `linkTemplate` makes the deep link of an offer without one (`deep-link.ts`). */
  providers: readonly { id: number; code: string; name: string; linkTemplate: string | null }[];
  hotels: readonly HotelRecord[];
  flights: readonly FlightRecord[];
  boards: readonly { id: number; code: string }[];
  rooms: readonly { id: number; code: string; description: string }[];
  parties: readonly { id: number; adults: number; children: number; infants: number }[];
}

/** Dictionaries read whole: their size does not grow with the packages. */
export type NameData = Pick<
  ReferenceData,
  'countries' | 'regions' | 'resorts' | 'airports' | 'providers' | 'boards' | 'parties'
>;

/** Dictionaries that grow with the packages, looked up record by record. */
export type RecordData = Pick<ReferenceData, 'hotels' | 'flights' | 'rooms'>;

export interface HotelRecord {
  id: number;
  /** Unique within its provider: HotelIdentifierCode on the wire, and part of the ItemKey. */
  code: string;
  /** The provider that uses the code; null: all providers share it. */
  provider: number | null;
  /** The provider that describes a hotel with a shared code; null: its own, or the next feed with it. */
  describedBy: number | null;
  name: string;
  resort: number;
  /** Half stars: 9 is 4.5 stars. */
  halfStars: number;
  /** The guests' rating, 0 to 10; null if unknown. */
  consumerRating: number | null;
  latitude: number | null;
  longitude: number | null;
}

export interface FlightRecord {
  id: number;
  number: string;
  airline: string;
  /** From here on, null means unknown. */
  origin: number | null;
  destination: number | null;
  /**
   * Minutes after local midnight at the origin; a night flight home can exceed one day. `SECOND_TIME` is
   * added for the second occurrence of a minute when clocks go back.
   */
  departureMinute: number | null;
  durationSeconds: number | null;
}

/**
 * One package. The first eleven columns are the primary key in clustering order, so that a search reads
 * neighbouring rows. Days count from 1970-01-01, instants are minutes since the epoch.
 */
export type OfferRow = readonly [
  ...key: OfferKey,
  price: Pence,
  priceBefore: Pence | null,
  halfStars: number,
  /** The outbound flight's, in minutes after local midnight; 0 if unknown. For sorting by departure. */
  departureMinute: number,
  outboundFlight: number,
  inboundFlight: number,
  luggage: number,
  expiresAt: number,
  seenAt: number,
  link: string | null,
];

export interface InventoryWriter {
  /** Replaces all dictionaries in one transaction. Ids in existing offers must keep their meaning. */
  replaceReference(reference: ReferenceData): Promise<void>;
  /** Writes the rows, sorted by key, in one transaction. Unchanged rows are not written. */
  writeOffers(offers: readonly OfferRow[]): Promise<void>;
  /** Removes every offer that departs before `day`. */
  removeDeparturesBefore(day: number): Promise<void>;
  /** Reserves work for this writer until it closes. False if another server has it. */
  reserve(work: string): Promise<boolean>;
  readNote(name: string): Promise<string | null>;
  /** A short named fact about the inventory, such as the progress of a load. */
  writeNote(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}
