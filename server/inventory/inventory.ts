import type { Pence } from '../../domain/money.ts';
import type { OfferKey } from './offer-columns.ts';

/**
 * The inventory in the store: dictionaries (`ReferenceData`), and one narrow row per package (`OfferRow`) that refers
 * to their records by id. Ids are small positive integers, unique within their dictionary (a region's id is unique
 * over all countries), so that a row takes about 50 bytes. New records are numbered after all earlier ones: an id is
 * never used twice.
 */
export interface ReferenceData {
  countries: readonly { id: number; name: string }[];
  regions: readonly { id: number; country: number; name: string }[];
  resorts: readonly { id: number; region: number; name: string }[];
  /** Both ends of a flight. `timezone` is an IANA name: flight times on the wire are local with an offset. */
  airports: readonly { id: number; code: string; name: string; timezone: string }[];
  /** `linkTemplate` makes the deep link of an offer without one; see `deep-link.ts`. */
  providers: readonly { id: number; code: string; name: string; linkTemplate: string | null }[];
  hotels: readonly HotelRecord[];
  flights: readonly FlightRecord[];
  boards: readonly { id: number; code: string }[];
  rooms: readonly { id: number; code: string; description: string }[];
  parties: readonly { id: number; adults: number; children: number; infants: number }[];
}

/** The dictionaries that are read whole, because their size does not depend on the number of packages. */
export type NameData = Pick<
  ReferenceData,
  'countries' | 'regions' | 'resorts' | 'airports' | 'providers' | 'boards' | 'parties'
>;

/** The dictionaries that grow with the number of packages. Their records are looked up when needed. */
export type RecordData = Pick<ReferenceData, 'hotels' | 'flights' | 'rooms'>;

export interface HotelRecord {
  id: number;
  /** Unique over its provider's hotels; the wire's HotelIdentifierCode and a part of the ItemKey. */
  code: string;
  /** The provider that uses the code; null: all providers share it. */
  provider: number | null;
  /**
   * The provider whose feed describes a hotel with a shared code. Null: its own provider does, or the next feed that
   * has it.
   */
  describedBy: number | null;
  name: string;
  resort: number;
  /** Half stars: 9 is 4.5 stars. */
  halfStars: number;
  /** The guests' rating from the provider, 0 to 10; null if unknown. */
  consumerRating: number | null;
  /** Null if unknown. */
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
   * Minutes after local midnight at the origin; for a return flight at night they can exceed one day. With
   * `SECOND_TIME` added, the second time that clocks show this minute in the night in which they go back.
   */
  departureMinute: number | null;
  durationSeconds: number | null;
}

/**
 * One package. The first eleven columns are the primary key, in clustering order: a search reads a short range of
 * neighbouring rows. Days are days since 1970-01-01, instants are minutes since the epoch.
 */
export type OfferRow = readonly [
  ...key: OfferKey,
  price: Pence,
  priceBefore: Pence | null,
  halfStars: number,
  /** Of the outbound flight, in minutes after local midnight; 0 if unknown. Departures are sorted by day and minute. */
  departureMinute: number,
  outboundFlight: number,
  inboundFlight: number,
  luggage: number,
  expiresAt: number,
  seenAt: number,
  link: string | null,
];

export interface InventoryWriter {
  /** Replaces all dictionaries in one transaction. The ids in existing offers must keep their meaning. */
  replaceReference(reference: ReferenceData): Promise<void>;
  /** Writes offers in one transaction. Rows must be sorted by key. Unchanged rows are not written. */
  writeOffers(offers: readonly OfferRow[]): Promise<void>;
  /** Removes every offer that departs before `day`. */
  removeDeparturesBefore(day: number): Promise<void>;
  /** Reserves work for this writer until it closes. False if another server has reserved it. */
  reserve(work: string): Promise<boolean>;
  readNote(name: string): Promise<string | null>;
  /** A short named fact about the inventory, such as the progress of a load. */
  writeNote(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}
