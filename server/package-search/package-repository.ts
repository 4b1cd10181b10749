import type { PackageSort } from '../../domain/sort-by.ts';
import type { OfferRow, ReferenceData } from '../storage/inventory.ts';

/**
 * Where packages are found. The embedded store is one implementation; the suite in
 * `tests/contract/package-repository.ts` says what every implementation does.
 */
export interface PackageRepository {
  /** One page of what matches, in the order of the question's sort. Nothing found is an empty page. */
  search(question: PackageQuestion): Promise<FoundPage>;
  /** The offers with these keys, in the keys' order; a key without an offer is left out. */
  findByKey(keys: readonly OfferKey[]): Promise<OfferRow[]>;
  /** Changes whenever the dictionaries were replaced; cheap enough to ask before every search. */
  referenceVersion(): Promise<string>;
  readReference(): Promise<ReferenceData>;
  /** A short named fact beside the inventory; null where there is none. */
  readNote(name: string): Promise<string | null>;
  close(): Promise<void>;
}

/** How many packages of one hotel an answer holds (ruling 9): its best under the sort, or every one. */
export type Collapse = 'hotel' | 'none';

/** A search in the store's own terms: ids of `ReferenceData`, days and minutes since 1970-01-01. */
export interface PackageQuestion {
  /** Null: every provider. */
  providers: readonly number[] | null;
  /** Null: any. A resort's own region and country are named with it: they lead the key. */
  countries: readonly number[] | null;
  regions: readonly number[] | null;
  resorts: readonly number[] | null;
  airports: readonly number[];
  /** First and last day of departure. */
  firstDay: number;
  lastDay: number;
  /** The departure day plus the nights is at most this day (ruling 7). */
  lastReturnDay: number;
  /** Null: any length of stay. */
  nights: number | null;
  party: number;
  boards: readonly number[] | null;
  halfStars: readonly number[] | null;
  /** Offers that expire at or before this minute are not there any more. */
  now: number;
  sort: PackageSort;
  collapse: Collapse;
  limit: number;
  /** The place after which the page starts: an earlier page's `next`. */
  after: PagePlace | null;
  /** The count that an earlier page gave, so that it is not counted again. */
  knownCount: number | null;
}

/** A place between two packages of an answer, meaningful to the repository alone. */
export type PagePlace = readonly number[];

export interface FoundPage {
  offers: OfferRow[];
  /** Where the next page starts, or null after the last. */
  next: PagePlace | null;
  /** How many packages match on all pages. */
  count: number;
  /** How many statements the store was asked. */
  statements: number;
}

/** What tells one offer from every other: the first eleven columns of its row. */
export type OfferKey = readonly [
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
];
