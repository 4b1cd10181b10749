import type { Pence } from '../../../domain/money.ts';
import type { FeedPlace } from './feed-places.ts';

/** A checked package of a feed, with names and public codes instead of the store's ids. */
export interface FeedPackage {
  /** Its line in the feed. */
  line: number;
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
  /** Minutes since 1970 UTC. */
  expiresAt: number;
  /** In changes: the package is off sale; its price says nothing. */
  isDeleted: boolean;
  sequence: number | null;
  /** Null: made from the provider's link template. */
  link: string | null;
}

export interface FeedHotel {
  code: string;
  name: string;
  /** 0 if unknown. */
  halfStars: number;
  consumerRating: number | null;
  latitude: number | null;
  longitude: number | null;
}

/** Unknown values are null, or '' for text. */
export interface FeedFlight {
  number: string;
  airline: string;
  /** IATA codes. */
  origin: string | null;
  destination: string | null;
  /** Minutes after local midnight, as in `FlightRecord`. */
  departureMinute: number | null;
  durationSeconds: number | null;
}
