import { GraphQLError } from 'graphql';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../domain/search-with-facets-query.ts';
import type { Caller } from '../lib/caller.ts';
import type { ErrorCode } from '../lib/error-codes.ts';
import type { PriceAnalysisQuery } from '../price-history/price-analysis-query.ts';
import type { PriceHistoryQuery } from '../price-history/price-history-query.ts';
import { type Charge, costAllowance } from './allowance.ts';
import type { CheapestDates } from './cheapest-dates.ts';
import { compiledQueries } from './compiled-queries.ts';
import { type Explore, monthsOfRequest } from './explore.ts';
import type { Collapse, SearchCaller } from './package-repository.ts';
import type { PriceCalendar } from './price-calendar.ts';
import { type SchemaContext, schema } from './schema.ts';
import { costRefusal, fieldUnits } from './search-cost.ts';
import type { SearchPackages, SearchRefusal, SearchResponse } from './search-packages.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** `text` is the JSON of the result, with the client's mistakes in `errors`. */
export type GraphqlResponse =
  | { kind: 'response'; text: string }
  | { kind: 'too costly'; message: string }
  /** `retryAfter`: seconds. */
  | { kind: 'rate limited'; retryAfter: number };

/** Answers a GraphQL request, after working out its cost. */
export type ExecuteGraphql = (request: GraphqlRequest, caller: Caller) => Promise<GraphqlResponse>;

const OPERATION_NAME = 'searchPackages';

/** Reading and compiling a new query text takes tens of milliseconds. */
const NEW_TEXT_UNITS = 500;

/**
 * The GraphQL API. The page's queries take a direct path from item texts to the response text. Other queries
 * and all refusals go through the compiled schema, with the same result.
 */
export function graphqlExecutor(
  search: Readonly<Record<'direct' | 'schema', SearchPackages>>,
  others: {
    priceAnalysis: PriceAnalysisQuery;
    priceHistory: PriceHistoryQuery;
    cheapestDates: CheapestDates;
    priceCalendar: PriceCalendar;
    explore: Explore;
  },
  options: { introspection: boolean; collapse: Collapse; charge?: Charge },
): ExecuteGraphql {
  const { charge = costAllowance() } = options;
  const compiled = compiledQueries(schema, options);

  /** Resolves one request's fields. `failed` throws its argument. */
  function fieldsFor(caller: SearchCaller, failed: (error: unknown) => never): SchemaContext {
    const takeMonths = monthsOfRequest();
    async function found<O extends { kind: string }, K extends O['kind']>(
      pending: Promise<O | SearchRefusal>,
      kind: K,
    ) {
      const outcome = await pending.catch(failed);
      if (outcome.kind !== kind) throw graphqlError(outcome as SearchRefusal);
      return outcome as Extract<O, { kind: K }>;
    }
    return {
      searchPackages: async (args, hasFacets) =>
        JSON.parse(responseText(await found(search.schema(args, caller, hasFacets), 'response'))),
      priceAnalysis: async (args) => (await found(others.priceAnalysis(args, caller), 'analyses')).analyses,
      priceHistory: async (args) => (await found(others.priceHistory(args, caller), 'history')).history,
      cheapestDates: async (args) => (await found(others.cheapestDates(args, caller), 'dates')).dates,
      priceCalendar: async (args) => (await found(others.priceCalendar(args, caller), 'prices')).prices,
      explore: async (args) => (await found(others.explore(args, caller, takeMonths), 'places')).places,
    };
  }

  async function executeBySchema(request: GraphqlRequest, caller: Caller): Promise<GraphqlResponse> {
    const { query, operationName } = request;
    const known = compiled.known(query, operationName);
    if (known === null) {
      const retryAfter = charge(caller.client, NEW_TEXT_UNITS);
      if (retryAfter > 0) return { kind: 'rate limited', retryAfter };
    }
    const found = known ?? compiled.compile(query, operationName);
    if (found.kind === 'refused') return response(errorsText(found.errors, 'BAD_QUERY'));
    const variables = found.complete(request.variables);
    const units = found.costOf(variables);
    if (typeof units !== 'number') return response(errorsText(units, 'BAD_USER_INPUT'));
    const refusal = costRefusal(units);
    if (refusal !== null) return { kind: 'too costly', message: refusal };
    const retryAfter = charge(caller.client, units);
    if (retryAfter > 0) return { kind: 'rate limited', retryAfter };

    // One failed field makes the response an error, so abandon the others.
    const ending = new AbortController();
    let failure: unknown = null;
    const failed = (error: unknown): never => {
      failure ??= error;
      ending.abort(failure);
      throw error;
    };
    const signal = AbortSignal.any([caller.signal, ending.signal]);
    const result = await found.run(fieldsFor({ ...caller, signal, units }, failed), variables);
    // An internal failure becomes status 500; its message goes to the log only.
    if (failure !== null) throw new Error('The query failed', { cause: failure });
    return response(JSON.stringify(result));
  }

  return async (request, caller) => {
    if (isPageQuery(request)) {
      const hasFacets = request.query === SEARCH_WITH_FACETS_QUERY;
      const units = fieldUnits('searchPackages', request.variables, options.collapse, hasFacets);
      const retryAfter = charge(caller.client, units);
      if (retryAfter > 0) return { kind: 'rate limited', retryAfter };
      const outcome = await search.direct(request.variables, { ...caller, units }, hasFacets);
      if (outcome.kind === 'response') {
        return response(`{"data":{"searchPackages":${responseText(outcome)}}}`);
      }
    }
    return executeBySchema(request, caller);
  };
}

function response(text: string): GraphqlResponse {
  return { kind: 'response', text };
}

/** The JSON of a response with errors. `code` is for errors that have none. */
function errorsText(errors: readonly GraphQLError[], code: ErrorCode): string {
  const coded = errors.map((error) => {
    const json = error.toJSON();
    return { ...json, extensions: { code, ...json.extensions } };
  });
  return JSON.stringify({ errors: coded });
}

function isPageQuery({ query, operationName }: GraphqlRequest): boolean {
  const isKnown = query === SEARCH_PACKAGES_QUERY || query === SEARCH_WITH_FACETS_QUERY;
  return isKnown && (operationName === null || operationName === OPERATION_NAME);
}

function graphqlError(refusal: SearchRefusal): GraphQLError {
  return new GraphQLError(refusal.message, {
    extensions:
      refusal.kind === 'bad-token' ? { code: 'BAD_TOKEN' } : { code: 'BAD_USER_INPUT', field: refusal.field },
  });
}

/** The JSON text of `SearchPackagesAnswer`, with the fields in the order of `SEARCH_PACKAGES_QUERY`. */
function responseText(found: SearchResponse): string {
  // Concatenated strings are copied once, on sending; `join` copies them twice.
  let items = '';
  for (const item of found.items) items += items === '' ? item : `,${item}`;
  return `{"items":[${items}],${JSON.stringify({
    nextToken: found.nextToken,
    count: found.count,
    errors: null,
    hasMoreData: found.hasMoreData,
    queriesExecuted: found.queriesExecuted,
    totalReturned: found.items.length,
    ...(found.facets && { facets: found.facets }),
  }).slice(1)}`;
}
