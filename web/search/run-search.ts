import * as v from 'valibot';
import { type PackageHoliday, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { toRefinements } from '../../domain/refinements.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { isByPriceScore, type PriceScores } from '../../domain/sort-by.ts';
import type { SearchClient, SearchResponse } from './search-client.ts';
import { needsMorePages, type SearchResults, searchKey, serverSort, tripKey } from './search-results.ts';
import type { HolidaySearch } from './search-url.ts';

/** The maximum number of items in one request (Section 7). */
const LIMIT = 100;

export interface SearchRun {
  client: SearchClient;
  brandCode: string;
  /** Whether the server accepts further filters, counts their options and sorts by guest rating. */
  hasFacets?: boolean;
  /** Scores the prices of packages; null if the server offers no scores. */
  scorePrices?: ((packages: readonly PackageHoliday[]) => Promise<PriceScores>) | null;
  signal: AbortSignal;
  /** The results to complete; null for a new search. */
  loaded: SearchResults | null;
}

/**
 * Runs one search. Sends no request if a required part is missing (Section 5). Follows the server's tokens until it has
 * the requested page or there are no more items. Rejects with an Error whose message is for visitors.
 */
export async function runSearch(search: HolidaySearch, run: SearchRun): Promise<SearchResults> {
  const { brandCode, hasFacets = false, scorePrices = null, signal, loaded } = run;
  const filters = buildSearchFilters(search, brandCode);
  const fresh = newResults(search);
  if (filters === null) return fresh;
  let results = loaded ?? fresh;
  const sort = serverSort(results.sortBy, hasFacets);
  const refined = hasFacets ? { filters, refine: toRefinements(search.refine) } : { filters };
  for (let isNew = loaded === null; isNew || needsMorePages(results, search); isNew = false) {
    const { nextToken } = results;
    const response = await run.client({ ...refined, sortBy: sort, limit: LIMIT, nextToken }, signal);
    results = addResponse(results, response, brandCode);
  }
  if (!isByPriceScore(search.sortBy) || results.scores !== null) return results;
  return { ...results, scores: (await scorePrices?.(results.packages)) ?? NO_SCORES };
}

const NO_SCORES: PriceScores = { 'value-desc': new Map(), 'drop-desc': new Map() };

function newResults(search: HolidaySearch): SearchResults {
  return {
    key: searchKey(search),
    trip: tripKey(search),
    sortBy: search.sortBy,
    packages: [],
    hasMoreData: false,
    count: null,
    nextToken: null,
    facets: null,
    scores: null,
  };
}

function addResponse(results: SearchResults, response: SearchResponse, brandCode: string): SearchResults {
  const before = results.packages;
  const known = new Set(before.map(({ ItemKey }) => ItemKey));
  const added = parseItems(response, brandCode).filter(({ ItemKey }) => !known.has(ItemKey));
  // Stops if a server announces more data but sends nothing new.
  const hasMore = response.hasMoreData && added.length > 0;
  return {
    ...results,
    packages: [...before, ...added],
    hasMoreData: response.hasMoreData,
    count: response.count ?? results.count,
    facets: response.facets ?? results.facets,
    nextToken: hasMore ? response.nextToken : null,
  };
}

/** How many other packages of each item's hotel pass the filters, and the prices of other providers. */
const OthersSchema = v.fallback(
  v.object({
    otherPackages: v.array(v.number()),
    otherProviders: v.optional(v.array(v.array(v.object({ Brand: v.string(), TotalPrice: v.number() }))), []),
  }),
  { otherPackages: [], otherProviders: [] },
);

/** The readable items. Unreadable items are skipped and counted in a warning. */
function parseItems({ items, facets }: SearchResponse, brandCode: string): PackageHoliday[] {
  const mapping = { mappedAt: new Date().toISOString(), brandCode };
  const parsed = items.map(parsePackageSearchItem);
  const invalid = parsed.flatMap((each) => (each.kind === 'refused' ? [each.reason] : []));
  if (invalid.length > 0) {
    console.warn(`${invalid.length} of ${items.length} packages are unreadable and left out.`, invalid);
  }
  const { otherPackages, otherProviders } = v.parse(OthersSchema, facets);
  return parsed.flatMap((each, nth) => {
    if (each.kind === 'refused') return [];
    const holiday = toPackageHoliday(each.item, mapping);
    const [OtherPackages, OtherProviders = []] = [otherPackages[nth], otherProviders[nth]];
    return [OtherPackages === undefined ? holiday : { ...holiday, OtherPackages, OtherProviders }];
  });
}
