import type { Pence } from '../../domain/money.ts';
import type { FeedPlace } from './feed-places.ts';

/** A package of a provider's feed, checked, with names and public codes in the place of the store's ids. */
export interface FeedPackage {
  /** The feed's line. */
  line: number;
  hotel: FeedHotel;
  /** The same object for packages of one place. */
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
  outbound: FeedFlight;
  /** Its minute counts from the midnight that begins the day after the last night. */
  inbound: FeedFlight;
  luggage: number;
  /** Minutes since 1970 UTC. */
  expiresAt: number;
  /** null: the provider's link template makes it. */
  link: string | null;
}

export interface FeedHotel {
  code: string;
  name: string;
  /** 0 where the feed does not say. */
  halfStars: number;
  consumerRating: number | null;
  latitude: number | null;
  longitude: number | null;
}

/** What a feed does not say of a flight is null, or '' where it is text. */
export interface FeedFlight {
  number: string;
  airline: string;
  /** IATA codes. */
  origin: string | null;
  destination: string | null;
  /** As a `FlightRecord` has it: minutes after local midnight of its day. */
  departureMinute: number | null;
  durationSeconds: number | null;
}
