import { photoPaths } from '../../inventory/photo-path.ts';
import type { CachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import { memoizeWeak } from '../../lib/memoize.ts';
import { itemTexts } from '../items/item-text.ts';
import { filtersOf } from '../query/facet-filters.ts';
import { type Facets, facetsOf } from '../query/facets.ts';
import { toPackageQuery } from '../query/package-query.ts';
import type { Collapse, PackagePage, PackageRepository, SearchCaller } from '../query/package-repository.ts';
import { NO_REFINEMENTS, type Refinements } from '../query/refinements.ts';
import { departureDays, MAX_DAYS_OF_REFINED } from '../query/search-cost.ts';
import { type BadInput, type Parsed, TOO_MANY_DAYS, TOO_WIDE } from '../query/search-request.ts';
import { type PageState, pageTokens } from '../tokens/page-token.ts';
import { priceTokens } from '../tokens/price-token.ts';

/** What an answer depends on besides its search: the store's state and the minute since 1970. */
export interface AnswerSource {
  inventoryVersion: string;
  minute: number;
}

/** A search result (Section 7); `items` are JSON texts in order. */
export interface SearchResponse {
  kind: 'response';
  items: string[];
  nextToken: string | null;
  count: number;
  hasMoreData: boolean;
  queriesExecuted: number;
  /** Null: not selected. */
  facets: Facets | null;
  madeFrom: AnswerSource;
}

export type SearchRefusal = BadInput | { kind: 'bad-token'; message: string };

/** Answers `searchPackages` (docs/contracts/graphql.md). */
export type SearchPackages = (
  parsed: Parsed<'searchPackages'>,
  caller?: SearchCaller,
  hasFacets?: boolean,
) => Promise<SearchResponse | SearchRefusal>;

export function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000);
}

export interface SearchOptions {
  repository: PackageRepository;
  brandCode: string;
  collapse: Collapse;
  /** Signs page tokens and prices. */
  tokenKey: Uint8Array;
  now: () => number;
}

const NO_PAGE: PackagePage = { offers: [], next: null, count: 0, isTooWide: false, statements: 0 };

/** The search service over a store: returns one page of items as JSON texts. */
export function packageSearch(options: SearchOptions): SearchPackages {
  const { repository, brandCode, collapse, tokenKey, now } = options;
  const tokens = pageTokens(tokenKey, collapse, now);
  const [signing, photos] = [priceTokens(tokenKey), photoPaths(tokenKey)];
  const itemTextOf = memoizeWeak((catalogue: CachedCatalogue) => itemTexts(catalogue, signing, photos));

  return async (parsed, caller, hasFacets = false) => {
    if (parsed.kind === 'bad-input') return parsed;
    const { request } = parsed;
    const isRefined = hasFacets || request.refine !== null;
    const refine = request.refine ?? NO_REFINEMENTS;
    const needsOffers = isRefined || request.sortBy === 'GUEST_RATING_DESC';
    if (needsOffers && departureDays(request.filters) > MAX_DAYS_OF_REFINED) return TOO_MANY_DAYS;
    let from: PageState | null = null;
    if (request.nextToken !== null) {
      const read = tokens.read(request, request.nextToken);
      if (read.kind === 'bad-token') return read;
      from = read;
    }

    const nowMs = now();
    const { pages, catalogue, inventoryVersion } = await repository.search((current) => {
      const ofHotel = refine.hotelCode === '' ? collapse : 'none';
      const query = toPackageQuery(request, current, { brandCode, collapse: ofHotel, nowMs });
      if (query === null) return [];
      // A count is only valid for the version in which it was made.
      const knownCount = from?.version === current.version ? from.count : null;
      return [{ ...query, ...(isRefined && { refine, hasFacets }), after: from?.after ?? null, knownCount }];
    }, caller);
    const [page = NO_PAGE] = pages;
    if (page.isTooWide) return TOO_WIDE;
    const { count, next } = page;
    const itemText = itemTextOf(catalogue);
    const minute = minuteOf(nowMs);
    return {
      kind: 'response',
      items: page.offers.map((offer) => itemText(offer, minute)),
      nextToken: next && tokens.issue(request, { after: next, count, version: catalogue.version }),
      count,
      hasMoreData: next !== null,
      queriesExecuted: page.statements,
      facets: hasFacets ? (page.facets ?? noFacets(refine, catalogue)) : null,
      madeFrom: { inventoryVersion, minute },
    };
  };
}

/** The facets of a search in which nothing can match. */
function noFacets(refine: Refinements, catalogue: CachedCatalogue): Facets {
  const none = { hotels: new Map(), flights: new Map(), rooms: new Map() };
  return facetsOf(filtersOf(refine, none, catalogue), [], { otherPackages: [], otherProviders: [] });
}
