import type { Pence } from '../../domain/money.ts';
import type { Party } from '../../domain/party.ts';
import type { PackageSort } from '../../domain/sort-by.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { OfferKey } from '../inventory/offer-columns.ts';
import type { CachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import type { ResortPositions } from './resort-positions.ts';
import type { SearchCaller } from './search-caller.ts';
import type { SharedPlaces } from './shared-places.ts';

/**
 * Finds packages in a store. The suite in `tests/contract/suites/package-repository.ts` specifies what every
 * implementation does.
 */
export interface PackageRepository {
  /**
   * Runs queries, all on one state of the store: an import that runs meanwhile is visible completely or not at all.
   * The queries are made from the dictionaries of that state. Without queries the store is not searched.
   * Throws `Overloaded` or `CallerGone`. Without a caller it is the server itself that asks.
   */
  search(queriesFor: QueriesFor, caller?: SearchCaller): Promise<SearchResult>;
  /**
   * Finds the lowest prices of all offers that match, on one state of the store. Without a query the store is not
   * searched.
   */
  lowestPrices(
    queryFor: (catalogue: CachedCatalogue) => LowestPricesQuery | null,
    caller?: SearchCaller,
  ): Promise<LowestPricesResult>;
  /** The offers with these keys, in the keys' order; a key without an offer is left out. */
  findByKey(keys: readonly OfferKey[]): Promise<OfferRow[]>;
  /** The dictionaries as they were a second ago at most. */
  catalogue(): Promise<CachedCatalogue>;
  /**
   * Where the resorts are: the middle of their hotels. `version`: that of the catalogue whose resorts are asked for. Read
   * once per import.
   */
  resortPositions(version: string): Promise<ResortPositions>;
  /** The parties that packages departing from tomorrow (in London) are sold to, the smallest first. */
  partiesOnSale(nowMs: number): Promise<Party[]>;
  /** Changes with every import; cheap enough to be read often. */
  referenceVersion(): Promise<string>;
  /** A short named fact about the inventory; null if there is none. */
  readNote(name: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Called again if the store's dictionaries turn out to differ from the expected ones. */
export type QueriesFor = (catalogue: CachedCatalogue) => readonly PackageQuery[];

/** A page for each query, and the catalogue of the state in which they were found, with all their records. */
export interface SearchResult {
  pages: FoundPage[];
  catalogue: CachedCatalogue;
}

/** Which packages of a hotel a search returns (ruling 9): the best one under the sort, or every one. */
export type Collapse = 'hotel' | 'none';

/** Which offers match, in the store's terms: ids of `ReferenceData`, days and minutes since 1970-01-01. */
export interface OfferFilters {
  /** Null: every provider. */
  providers: readonly number[] | null;
  /** Null: any. A resort comes with its region and country, because these are the first columns of the key. */
  countries: readonly number[] | null;
  regions: readonly number[] | null;
  resorts: readonly number[] | null;
  /** In the place of these three lists. */
  places?: SharedPlaces;
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
  /** Offers that expire at or before this minute are not found. */
  now: number;
}

/** A search. */
export interface PackageQuery extends OfferFilters {
  sort: PackageSort;
  collapse: Collapse;
  /**
   * Whether packages of equal rank are put in order (`TieOrder`). `any`: the caller reads no more than the price, and asks
   * for no further page.
   */
  ties: 'in-order' | 'any';
  limit: number;
  /** Where the page starts: an earlier page's `next`. */
  after: PagePlace | null;
  /** The count of an earlier page of the same state, so that it is not counted again. */
  knownCount: number | null;
}

/** A place between two packages, opaque to the caller. */
export type PagePlace = readonly (number | string)[];

export interface FoundPage {
  offers: OfferRow[];
  /** Where the next page starts, or null after the last. */
  next: PagePlace | null;
  /** Matches on all pages. */
  count: number;
  /** The query would read too much, so nothing was read; see `MOST_BLOCKS`. */
  isTooWide: boolean;
  /** Statements that the store has run for this page. */
  statements: number;
}

/** The levels of places. */
export type PlaceLevel = 'country' | 'region' | 'resort';

/** Whose lowest prices are wanted: each departure day's, or each place's in each month of departure. */
export type PricesPer = 'day' | PlaceLevel;

export interface LowestPricesQuery extends OfferFilters {
  per: PricesPer;
  /** Higher prices are not returned. Null: all are. */
  most: Pence | null;
}

/** A lowest price, the first day that has it, and the shortest stay that has it on that day. */
export interface LowestPrice {
  day: number;
  nights: number;
  price: Pence;
  /** The resort of the price's package. */
  country: number;
  region: number;
  resort: number;
}

export interface FoundPrices {
  /** In the order of day, or of the place's id and month. */
  prices: LowestPrice[];
  /** The query would read too much, so nothing was read; see `MOST_BLOCKS`. */
  isTooWide: boolean;
}

export interface LowestPricesResult extends FoundPrices {
  catalogue: CachedCatalogue;
}
