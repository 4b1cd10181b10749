import * as v from 'valibot';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../domain/search-with-facets-query.ts';
import type { PackageSort } from '../../domain/sort-by.ts';
import { RequestError, textOf, UNREACHABLE_MESSAGE } from '../data/request.ts';
import { postQuery, type SearchService } from './search-service.ts';

/** A request to the search service: up to `limit` items, from the start or from a token. */
export interface SearchRequest {
  filters: PackageSearchFilters;
  /** Further filters; with them the server also counts the options of each. */
  refine?: object;
  sortBy: PackageSort | 'GUEST_RATING_DESC';
  limit: number;
  nextToken: string | null;
}

/** A response with unparsed items: `parsePackageSearchItem` parses each separately. */
export interface SearchResponse {
  items: unknown[];
  nextToken: string | null;
  hasMoreData: boolean;
  /** The number of all matches; null if the server does not send it. */
  count: number | null;
  /** Unchecked: see `readFacets`. */
  facets?: unknown;
}

export type SearchClient = (request: SearchRequest, signal: AbortSignal) => Promise<SearchResponse>;

const TIMEOUT_MS = 60_000;

/** Shown if a response cannot be read. */
const UNREADABLE_MESSAGE = 'We couldn’t read the search results. Please search again in a moment.';
const GRAPHQL_FAILED_MESSAGE = 'GraphQL query failed';

const SomeErrors = v.nullish(v.array(v.unknown()), []);

const Envelope = v.object({
  errors: SomeErrors,
  data: v.nullish(
    v.object({
      searchPackages: v.nullish(
        v.object({
          items: v.nullish(v.array(v.unknown()), []),
          nextToken: v.nullish(v.string(), null),
          hasMoreData: v.nullish(v.boolean(), false),
          count: v.fallback(v.nullish(v.number(), null), null),
          facets: v.optional(v.unknown()),
          errors: SomeErrors,
        }),
      ),
    }),
  ),
});

/**
 * A client of the search service (Section 7). It logs failures and throws them as Errors with a message for visitors
 * (Section 8). Aborted requests reject without a log entry.
 */
export function createSearchClient(service: SearchService): SearchClient {
  return async (variables, signal) => {
    try {
      const text = variables.refine === undefined ? SEARCH_PACKAGES_QUERY : SEARCH_WITH_FACETS_QUERY;
      const query = { query: text, variables, signal, timeoutMs: TIMEOUT_MS };
      const response = await postQuery(service, query);
      const { ok, status } = response;
      if (!ok) throw new RequestError(`API Error: ${status} - ${await textOf(response)}`, status);
      return await readResponse(response);
    } catch (error) {
      if (!signal.aborted) console.error('The search failed.', error);
      throw error;
    }
  };
}

async function readResponse(response: Response): Promise<SearchResponse> {
  const envelope = v.safeParse(Envelope, await json(response));
  if (!envelope.success) throw new Error(UNREADABLE_MESSAGE, { cause: envelope.issues });
  const { errors, data } = envelope.output;
  if (errors.length > 0) throw new Error(GRAPHQL_FAILED_MESSAGE, { cause: errors });
  const found = data?.searchPackages;
  if (!found) throw new Error(UNREADABLE_MESSAGE, { cause: 'no searchPackages in the response' });
  // Errors must not look like a search without results.
  if (found.items.length === 0 && found.errors.length > 0) {
    throw new Error(GRAPHQL_FAILED_MESSAGE, { cause: found.errors });
  }
  return found;
}

/** The body as JSON. A connection that breaks mid-response counts as unreachable, not as unreadable. */
async function json(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw new RequestError(UNREACHABLE_MESSAGE, null, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(UNREADABLE_MESSAGE, { cause });
  }
}
