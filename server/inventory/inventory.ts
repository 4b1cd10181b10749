import type { Pence } from '../../domain/money.ts';

/**
 * The inventory as the store holds it: dictionaries (`ReferenceData`), and one narrow row a package (`OfferRow`)
 * that names their records by id. Ids are small positive integers, unique within their dictionary (a region's id
 * is unique over all countries), so that a row stays near 50 bytes. Feeds number their new records behind all that
 * ever were: an id is never given twice.
 */
export interface ReferenceData {
  countries: readonly { id: number; name: string }[];
  regions: readonly { id: number; country: number; name: string }[];
  resorts: readonly { id: number; region: number; name: string }[];
  /** Both ends of a flight. `timezone` is an IANA name: flight times on the wire are local with an offset. */
  airports: readonly { id: number; code: string; name: string; timezone: string }[];
  /** `linkTemplate` makes the deep link of a row without one; see `server/inventory/deep-link.ts`. */
  providers: readonly { id: number; code: string; name: string; linkTemplate: string | null }[];
  hotels: readonly HotelRecord[];
  flights: readonly FlightRecord[];
  boards: readonly { id: number; code: string }[];
  rooms: readonly { id: number; code: string; description: string }[];
  parties: readonly { id: number; adults: number; children: number; infants: number }[];
}

/** The dictionaries that are read whole: however much is on sale, there are only so many places and airports. */
export type NameData = Pick<
  ReferenceData,
  'countries' | 'regions' | 'resorts' | 'airports' | 'providers' | 'boards' | 'parties'
>;

/** The dictionaries that grow with what is on sale: a record of theirs is looked up when it is needed. */
export type RecordData = Pick<ReferenceData, 'hotels' | 'flights' | 'rooms'>;

export interface HotelRecord {
  id: number;
  /** Unique over its provider's hotels; the wire's HotelIdentifierCode and a part of the ItemKey. */
  code: string;
  /** Whose code it is; null: one that all providers share. */
  provider: number | null;
  name: string;
  resort: number;
  /** Half stars: 9 is 4.5 stars. */
  halfStars: number;
  /** Guests' rating as its provider gives it, 0 to 10, or null where unknown. */
  consumerRating: number | null;
  /** null where unknown. */
  latitude: number | null;
  longitude: number | null;
}

export interface FlightRecord {
  id: number;
  number: string;
  airline: string;
  /** What is unknown of a flight is null from here on. */
  origin: number | null;
  destination: number | null;
  /**
   * Minutes after local midnight at the origin; of a way back by night they may run into a second day. With
   * `SECOND_TIME` added, the second time that clocks show this minute on the night on which they go back.
   */
  departureMinute: number | null;
  durationSeconds: number | null;
}

/**
 * One package. The order of the first eleven columns is the primary key and the clustering: a search is a
 * short walk over neighbouring rows. Days are days since 1970-01-01, instants are minutes since the epoch.
 */
export type OfferRow = readonly [
  departureDay: number,
  nights: number,
  party: number,
  country: number,
  region: number,
  resort: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  provider: number,
  price: Pence,
  priceBefore: Pence | null,
  halfStars: number,
  /** Of the outbound flight, minutes after local midnight, 0 where unknown: the second half of a departure sort. */
  departureMinute: number,
  outboundFlight: number,
  inboundFlight: number,
  luggage: number,
  expiresAt: number,
  seenAt: number,
  link: string | null,
];

export interface InventoryWriter {
  /** Replaces the dictionaries whole, in one transaction. Offers already held keep their ids' meaning. */
  replaceReference(reference: ReferenceData): Promise<void>;
  /** Writes offers in one transaction; rows must be sorted by key. A row that changes nothing is not written. */
  writeOffers(offers: readonly OfferRow[]): Promise<void>;
  /** Removes every offer that departs before `day`. */
  removeDeparturesBefore(day: number): Promise<void>;
  /** Takes a piece of work for this writer alone, until it closes; false where another server has it. */
  reserve(work: string): Promise<boolean>;
  readNote(name: string): Promise<string | null>;
  /** A short named fact beside the inventory, such as how far a load has come. */
  writeNote(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}
