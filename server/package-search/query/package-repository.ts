import type { Pence } from '../../../domain/money.ts';
import type { Party } from '../../../domain/party.ts';
import type { HotelRecord, OfferRow } from '../../inventory/inventory.ts';
import type { Offer } from '../../inventory/offer.ts';
import type { OfferKey } from '../../inventory/offer-columns.ts';
import type { CachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import { type Caller, INTERNAL_CALLER } from '../../lib/caller.ts';
import type { Facets } from './facets.ts';
import type { QuerySort } from './rank.ts';
import type { Refinements } from './refinements.ts';
import type { ResortPositions } from './resort-positions.ts';

/** Which hotels to read. */
export type HotelsBy =
  | { code: readonly string[] }
  | { id: readonly number[] }
  | { resort: readonly number[] };

export interface SearchCaller extends Caller {
  /** The cost of the whole request, in the units of `search-cost.ts`. */
  units: number;
}

/** The server itself: its searches are small. */
export const INTERNAL_SEARCH: SearchCaller = { ...INTERNAL_CALLER, units: 1 };

/** Finds packages in a store, as specified by `tests/contract/suites/package-repository.ts`. */
export interface PackageRepository {
  /**
   * Runs queries in one snapshot, which sees an import completely or not at all. `queriesFor` gets the
   * snapshot's dictionaries. Throws `Overloaded` or `CallerGone`. Without a caller, the server itself searches.
   */
  search(queriesFor: QueriesFor, caller?: SearchCaller): Promise<SearchResult>;
  /** Finds the lowest prices of all matching offers in one snapshot. */
  lowestPrices(
    queryFor: (catalogue: CachedCatalogue) => LowestPricesQuery | null,
    caller?: SearchCaller,
  ): Promise<LowestPricesResult>;
  /** The offers with these keys, in the keys' order; missing offers are left out. */
  findByKey(keys: readonly OfferKey[]): Promise<Offer[]>;
  /** The hotels with one of these codes or ids, or in one of these resorts, in the order of their ids. Feeds of several providers may share a code. */
  hotelsBy(which: HotelsBy): Promise<HotelRecord[]>;
  /** The dictionaries, at most a second old. */
  catalogue(): Promise<CachedCatalogue>;
  /** The resorts' positions (the middle of each one's hotels) for a version of the catalogue. */
  resortPositions(version: string): Promise<ResortPositions>;
  /** The parties with packages from tomorrow (in London) on, the smallest first. */
  partiesOnSale(nowMs: number): Promise<Party[]>;
  /** Changes with every import. Cheap to read. */
  referenceVersion(): Promise<string>;
  /** Changes with every import, and with every package that changes between imports. Cheap to read. */
  inventoryVersion(): Promise<string>;
  /** A short named fact about the inventory; null if there is none. */
  readNote(name: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Called again if the store's dictionaries differ from those of the last call. */
export type QueriesFor = (catalogue: CachedCatalogue) => readonly PackageQuery[];

/** A page for each query, and the catalogue of their snapshot with all their records. */
export interface SearchResult {
  pages: PackagePage[];
  catalogue: CachedCatalogue;
  /** The snapshot's `inventoryVersion`. */
  inventoryVersion: string;
}

/** Which packages of a hotel a search returns: the best one under the sort, or all. */
export type Collapse = 'hotel' | 'none';

/** Several places, perhaps thousands, as one text that can be copied to a thread or bound to a statement. */
export interface SharedPlaces {
  /** How many ids identify a place: 1 for a country, 2 for a region, 3 for a resort. */
  levels: number;
  /** JSON: the ids of each place's country, region and resort, up to its own level. */
  rows: string;
}

/** Which offers match, in the store's terms: ids of `ReferenceData`, days and minutes since 1970-01-01. */
export interface OfferFilters {
  /** Null: every provider. */
  providers: readonly number[] | null;
  /** Null: any. For a resort, its region and country are given too, as the first columns of the key. */
  countries: readonly number[] | null;
  regions: readonly number[] | null;
  resorts: readonly number[] | null;
  /** Replaces the three lists above. */
  places?: SharedPlaces;
  airports: readonly number[];
  /** First and last day of departure. */
  firstDay: number;
  lastDay: number;
  /** The departure day plus the nights is at most this day. */
  lastReturnDay: number;
  /** Null: any length of stay. */
  nights: readonly number[] | null;
  party: number;
  boards: readonly number[] | null;
  halfStars: readonly number[] | null;
  /** Further columns of offers, each with the values that match. */
  lists?: readonly (readonly [column: string, values: readonly number[]])[];
  /** Offers that expire at or before this minute are not found. */
  now: number;
}

export interface PackageQuery extends OfferFilters {
  /** Further filters, for windows of a few days. */
  refine?: Refinements;
  /** Whether facets are counted; only with `refine`. */
  hasFacets?: boolean;
  sort: QuerySort;
  collapse: Collapse;
  /**
   * Whether packages of equal rank are ordered (`TieOrder`). `any` is for callers that read only the price
   * and no further page.
   */
  ties: 'in-order' | 'any';
  limit: number;
  /** Where the page starts: an earlier page's `next`. */
  after: PagePlace | null;
  /** The count of an earlier page from the same version of the store, to avoid counting again. */
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
  /** The query would read more blocks than allowed, so nothing was read. */
  isTooWide: boolean;
  /** How many statements the store ran for this page. */
  statements: number;
  facets?: Facets;
}

/** A page with the columns of its offers named. */
export interface PackagePage extends Omit<FoundPage, 'offers'> {
  offers: Offer[];
}

export type PlaceLevel = 'country' | 'region' | 'resort';

/** Group the lowest prices by departure day, or by board or place and departure month. */
export type PricesPer = 'day' | 'board' | PlaceLevel;

export interface LowestPricesQuery extends OfferFilters {
  per: PricesPer;
  /** The highest price to include. Null: no limit. */
  most: Pence | null;
  /** With `per: 'board'`: only these hotels' packages. */
  hotels?: readonly number[];
}

/** A lowest price, the first day with it, and the shortest stay with it on that day. */
export interface LowestPrice {
  day: number;
  nights: number;
  price: Pence;
  /** The resort of the price's package. */
  country: number;
  region: number;
  resort: number;
  /** With `per: 'board'`. */
  board?: number;
}

export interface FoundPrices {
  /** Sorted by day, or by the board's or place's id and month. */
  prices: LowestPrice[];
  /** The query would read more blocks than allowed, so nothing was read. */
  isTooWide: boolean;
}

export interface LowestPricesResult extends FoundPrices {
  catalogue: CachedCatalogue;
}
