import { GraphQLError } from 'graphql';
import { SEARCH_PACKAGES_QUERY } from '../../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../../domain/search-with-facets-query.ts';
import type { Caller } from '../../lib/caller.ts';
import type { ErrorCode } from '../../lib/error-codes.ts';
import type { PriceAnalysisQuery, PriceHistoryQuery } from '../../price-history/price-analysis-query.ts';
import type { CheapestDates } from '../fields/cheapest-dates.ts';
import { type Explore, monthsOfRequest } from '../fields/explore.ts';
import type { PriceCalendar } from '../fields/price-calendar.ts';
import type { SearchPackages, SearchRefusal, SearchResponse } from '../fields/search-packages.ts';
import type { Collapse, SearchCaller } from '../query/package-repository.ts';
import { costRefusal, fieldUnits } from '../query/search-cost.ts';
import { type Parsed, type ParsedField, parseArguments } from '../query/search-request.ts';
import { type Charge, costAllowance } from './allowance.ts';
import { type Answer, type AnswerCache, answerOf } from './answer-cache.ts';
import { compiledQueries } from './compiled-queries.ts';
import { type SchemaContext, schema } from './schema.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
  /** The `Accept-Encoding` header. */
  acceptEncoding: string | undefined;
}

/** `answer` is the JSON of the result, with the client's mistakes in `errors`. */
export type GraphqlResponse =
  | { kind: 'response'; answer: Answer }
  | { kind: 'too costly'; message: string }
  /** `retryAfter`: seconds. */
  | { kind: 'rate limited'; retryAfter: number };

/** Answers a GraphQL request, after working out its cost. The client pays before the cache is read. */
export type ExecuteGraphql = (request: GraphqlRequest, caller: Caller) => Promise<GraphqlResponse>;

const OPERATION_NAME = 'searchPackages';

/** Reading and compiling a new query text takes tens of milliseconds. */
const NEW_TEXT_UNITS = 500;

/**
 * The GraphQL API. The page's queries take a direct path from item texts to the response text. Other queries
 * and all refusals go through the compiled schema, with the same result.
 */
export function graphqlExecutor(
  searches: Readonly<Record<'direct' | 'schema', SearchPackages>>,
  others: {
    priceAnalysis: PriceAnalysisQuery;
    priceHistory: PriceHistoryQuery;
    cheapestDates: CheapestDates;
    priceCalendar: PriceCalendar;
    explore: Explore;
  },
  options: { introspection: boolean; collapse: Collapse; charge?: Charge; answers?: AnswerCache },
): ExecuteGraphql {
  const { charge = costAllowance(), answers } = options;
  const compiled = compiledQueries(schema, options);

  /** Resolves one request's fields. `failed` throws its argument. */
  function resolverFor(caller: SearchCaller, failed: (error: unknown) => never): SchemaContext['resolve'] {
    const takeMonths = monthsOfRequest();
    async function found<O extends { kind: string }, K extends O['kind']>(
      pending: Promise<O | SearchRefusal>,
      kind: K,
    ) {
      const outcome = await pending.catch(failed);
      if (outcome.kind !== kind) throw graphqlError(outcome as SearchRefusal);
      return outcome as Extract<O, { kind: K }>;
    }
    return async ({ root, parsed }: ParsedField, hasFacets: boolean) => {
      switch (root) {
        case 'searchPackages':
          return JSON.parse(
            partsOf(await found(searches.schema(parsed, caller, hasFacets), 'response')).join(''),
          );
        case 'cheapestDates':
          return (await found(others.cheapestDates(parsed, caller), 'dates')).dates;
        case 'priceCalendar':
          return (await found(others.priceCalendar(parsed, caller), 'prices')).prices;
        case 'explore':
          return (await found(others.explore(parsed, caller, takeMonths), 'places')).places;
        case 'priceAnalysis':
          return (await found(others.priceAnalysis(argumentsOf(parsed), caller), 'analyses')).analyses;
        case 'priceHistory':
          return (await found(others.priceHistory(argumentsOf(parsed), caller), 'history')).history;
      }
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
    const response = (text: string) => answered(answerOf([text], request.acceptEncoding));
    if (found.kind === 'refused') return response(errorsText(found.errors, 'BAD_QUERY'));
    const variables = found.complete(request.variables);
    const cost = found.costOf(variables);
    if (!('units' in cost)) return response(errorsText(cost, 'BAD_USER_INPUT'));
    const { units, fields } = cost;
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
    const resolve = resolverFor({ ...caller, signal, units }, failed);
    const result = await found.run({ fields, resolve }, variables);
    // An internal failure becomes status 500; its message goes to the log only.
    if (failure !== null) throw new Error('The query failed', { cause: failure });
    return response(JSON.stringify(result));
  }

  /**
   * Answers the page's query, known by its exact text; null if it is refused. Goes from rows to text, because building
   * objects for a GraphQL library costs more than finding the rows. One contract suite compares both ways.
   */
  async function executeDirectly(request: GraphqlRequest, caller: Caller): Promise<GraphqlResponse | null> {
    const hasFacets = request.query === SEARCH_WITH_FACETS_QUERY;
    const parsed = parseArguments('searchPackages', request.variables);
    if (parsed.kind === 'bad-input') return null;
    const units = fieldUnits({ root: 'searchPackages', parsed }, options.collapse, hasFacets);
    const retryAfter = charge(caller.client, units);
    if (retryAfter > 0) return { kind: 'rate limited', retryAfter };
    const search = { request: parsed.request, hasFacets, acceptEncoding: request.acceptEncoding };
    const cached = await answers?.find(search);
    if (cached !== undefined) return answered(cached);
    const outcome = await searches.direct(parsed, { ...caller, units }, hasFacets);
    if (outcome.kind !== 'response') return null;
    const answer = answerOf(
      ['{"data":{"searchPackages":', ...partsOf(outcome), '}}'],
      request.acceptEncoding,
    );
    answers?.add(search, outcome.madeFrom, answer);
    return answered(answer);
  }

  return async (request, caller) =>
    (isPageQuery(request) ? await executeDirectly(request, caller) : null) ??
    executeBySchema(request, caller);
}

function answered(answer: Answer): GraphqlResponse {
  return { kind: 'response', answer };
}

/** The arguments of a field whose service parses them. */
function argumentsOf(parsed: Parsed<'priceAnalysis' | 'priceHistory'>): unknown {
  return parsed.kind === 'request' ? parsed.request : null;
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

/** The JSON of `SearchPackagesAnswer` in parts, with the fields in the order of `SEARCH_PACKAGES_QUERY`. */
function partsOf(found: SearchResponse): string[] {
  const rest = JSON.stringify({
    nextToken: found.nextToken,
    count: found.count,
    errors: null,
    hasMoreData: found.hasMoreData,
    queriesExecuted: found.queriesExecuted,
    totalReturned: found.items.length,
    ...(found.facets && { facets: found.facets }),
  });
  const items = found.items.map((item, nth) => (nth === 0 ? item : `,${item}`));
  return ['{"items":[', ...items, `],${rest.slice(1)}`];
}
