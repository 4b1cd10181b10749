import type { Pence } from '../../../domain/money.ts';
import type { FlightRecord, HotelRecord } from '../../inventory/inventory.ts';
import type { Fingerprint } from '../formats/fingerprint.ts';
import type { FeedPlace } from './feed-places.ts';

/** A checked package of a feed, with names and public codes instead of the store's ids. */
export interface FeedPackage {
  /** Its line in the feed. */
  line: number;
  /** Null: the line is read every time. */
  fingerprint: Fingerprint | null;
  hotel: FeedHotel;
  /** Usually the same object for packages of the same place. */
  place: FeedPlace;
  /** IATA code of the departure airport. */
  airport: string;
  /** Days since 1970-01-01. */
  departureDay: number;
  nights: number;
  adults: number;
  children: number;
  infants: number;
  board: string;
  room: { code: string; description: string };
  price: Pence;
  priceBefore: Pence | null;
  /** Payable at the resort; null: not stated. */
  localCharges: Pence | null;
  outbound: FeedFlight;
  /** Its departure minute counts from midnight after the last night. */
  inbound: FeedFlight;
  luggage: number;
  /** See `offer-extras.ts`. */
  extras: number;
  /** Minutes since 1970 UTC. */
  expiresAt: number;
  /** In changes: the package is off sale; its price says nothing. */
  isDeleted: boolean;
  sequence: number | null;
  /** Null: made from the provider's link template. */
  link: string | null;
}

/** Unknown values are null, or 0 for stars. */
export type FeedHotel = Omit<HotelRecord, 'id' | 'resort' | 'provider' | 'describedBy'>;

/** Unknown values are null, or '' for text. Airports are IATA codes. */
export type FeedFlight = Omit<FlightRecord, 'id' | 'origin' | 'destination'> & {
  origin: string | null;
  destination: string | null;
};

export interface RowCounts {
  rows: number;
  refused: number;
  leftOut: number;
  /** Lines that duplicate a cheaper or earlier line of the package. */
  duplicates: number;
}
