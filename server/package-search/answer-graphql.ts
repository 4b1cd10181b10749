import { type ExecutionResult, GraphQLError } from 'graphql';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import type { PriceAnalysisQuery } from '../price-history/price-analysis-query.ts';
import type { CheapestDates } from './cheapest-dates.ts';
import { compiledQueries } from './compiled-queries.ts';
import type { Explore } from './explore.ts';
import type { PriceCalendar } from './price-calendar.ts';
import { type SchemaContext, schema } from './schema.ts';
import type { SearchAnswer, SearchPackages, SearchRefusal } from './search-packages.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** Answers a GraphQL request with the JSON text of its result. Mistakes in the request are in `errors`. */
export type AnswerGraphql = (request: GraphqlRequest) => Promise<string>;

const OPERATION_NAME = 'searchPackages';

/**
 * GraphQL over the package search, the price analysis, the cheapest dates, the calendar of prices and the cheapest places. The page's query takes a direct path from
 * item texts to the answer's text. Every other query, and every refusal, goes through the compiled schema, which gives
 * the same answer.
 */
export function graphqlAnswers(
  search: Readonly<Record<'direct' | 'schema', SearchPackages>>,
  others: {
    priceAnalysis: PriceAnalysisQuery;
    cheapestDates: CheapestDates;
    priceCalendar: PriceCalendar;
    explore: Explore;
  },
  options: { introspection: boolean },
): AnswerGraphql {
  const compiled = compiledQueries(schema, options);

  async function answerBySchema({ query, variables, operationName }: GraphqlRequest): Promise<string> {
    const found = compiled(query, operationName);
    if (found.kind === 'refused') return JSON.stringify({ errors: found.errors });
    const failures: unknown[] = [];
    const noteFailure = (error: unknown) => {
      failures.push(error);
      throw error;
    };
    const context: SchemaContext = {
      async searchPackages(variables) {
        const outcome = await search.schema(variables).catch(noteFailure);
        if (outcome.kind !== 'answer') throw graphqlError(outcome);
        return JSON.parse(answerText(outcome));
      },
      async priceAnalysis(variables) {
        const outcome = await others.priceAnalysis(variables).catch(noteFailure);
        if (outcome.kind !== 'analyses') throw graphqlError(outcome);
        return outcome.analyses;
      },
      async cheapestDates(variables) {
        const outcome = await others.cheapestDates(variables).catch(noteFailure);
        if (outcome.kind !== 'dates') throw graphqlError(outcome);
        return outcome.dates;
      },
      async priceCalendar(variables) {
        const outcome = await others.priceCalendar(variables).catch(noteFailure);
        if (outcome.kind !== 'prices') throw graphqlError(outcome);
        return outcome.prices;
      },
      async explore(variables) {
        const outcome = await others.explore(variables).catch(noteFailure);
        if (outcome.kind !== 'places') throw graphqlError(outcome);
        return outcome.places;
      },
    };
    const result: ExecutionResult = await found.query.query({}, context, variables);
    // An internal failure answers 500, and its message goes to the log only.
    if (failures.length > 0) throw new Error('The query failed', { cause: failures[0] });
    return JSON.stringify(result);
  }

  return async (request) => {
    if (isPageQuery(request)) {
      const outcome = await search.direct(request.variables);
      if (outcome.kind === 'answer') return `{"data":{"searchPackages":${answerText(outcome)}}}`;
    }
    return answerBySchema(request);
  };
}

function isPageQuery({ query, operationName }: GraphqlRequest): boolean {
  return query === SEARCH_PACKAGES_QUERY && (operationName === null || operationName === OPERATION_NAME);
}

function graphqlError(refusal: SearchRefusal): GraphQLError {
  return new GraphQLError(refusal.message, {
    extensions:
      refusal.kind === 'bad-token' ? { code: 'BAD_TOKEN' } : { code: 'BAD_USER_INPUT', field: refusal.field },
  });
}

/** The JSON text of `SearchPackagesAnswer`, with every field in the order of `SEARCH_PACKAGES_QUERY`. */
function answerText(answer: SearchAnswer): string {
  // Concatenated strings are copied once, when the whole is sent; `join` copies them twice.
  let items = '';
  for (const item of answer.items) items += items === '' ? item : `,${item}`;
  return `{"items":[${items}],${JSON.stringify({
    nextToken: answer.nextToken,
    count: answer.count,
    errors: null,
    hasMoreData: answer.hasMoreData,
    queriesExecuted: answer.queriesExecuted,
    totalReturned: answer.items.length,
  }).slice(1)}`;
}
