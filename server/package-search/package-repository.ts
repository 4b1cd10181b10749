import type { PackageSort } from '../../domain/sort-by.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { OfferKey } from '../inventory/offer-columns.ts';
import type { StoreState } from './store-state.ts';

/**
 * Where packages are found. The embedded store is one implementation; the suite in
 * `tests/contract/suites/package-repository.ts` says what every implementation does.
 */
export interface PackageRepository {
  /**
   * Answers questions, all from one state of the store: whatever an import swaps meanwhile, an answer has it whole
   * or not at all. The questions are made from the dictionaries of that state; none: nothing is asked.
   */
  search(questionsOf: QuestionsOf): Promise<Found>;
  /** The offers with these keys, in the keys' order; a key without an offer is left out. */
  findByKey(keys: readonly OfferKey[]): Promise<OfferRow[]>;
  /** The store as it stands now: its dictionaries and their version. */
  state(): Promise<StoreState>;
  /** Changes with every import; cheap enough to be asked often. */
  referenceVersion(): Promise<string>;
  /** A short named fact beside the inventory; null where there is none. */
  readNote(name: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Asked again where the state turns out to be another than the one last seen. */
export type QuestionsOf = (state: StoreState) => readonly PackageQuestion[];

/** A page for each question, and the state that they were found in, which has all the records that they name. */
export interface Found {
  pages: FoundPage[];
  state: StoreState;
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
  /** The count that an earlier page of this same state gave, so that it is not counted again. */
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
