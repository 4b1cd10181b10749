import { type ExecutionResult, GraphQLError } from 'graphql';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import type { PriceAnalysisQuery } from '../price-history/price-analysis-query.ts';
import { answerText } from './answer-text.ts';
import type { CheapestDates } from './cheapest-dates.ts';
import { compiledQueries } from './compiled-queries.ts';
import { type SchemaContext, schema } from './schema.ts';
import type { SearchPackages, SearchRefusal } from './search-packages.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** Answers a GraphQL request with the JSON text of its result; what is wrong with it is in its `errors`. */
export type AnswerGraphql = (request: GraphqlRequest) => Promise<string>;

const OPERATION_NAME = 'searchPackages';

/**
 * GraphQL over the package search, the price analysis and the cheapest dates. The page's own query takes a direct path from item texts
 * to the answer's text; every other query, and every refusal, goes through the compiled schema, which says the same.
 */
export function graphqlAnswers(
  search: Readonly<Record<'direct' | 'schema', SearchPackages>>,
  others: { priceAnalysis: PriceAnalysisQuery; cheapestDates: CheapestDates },
  options: { introspection: boolean },
): AnswerGraphql {
  const compiled = compiledQueries(schema, options);

  async function byTheSchema({ query, variables, operationName }: GraphqlRequest): Promise<string> {
    const found = compiled(query, operationName);
    if (found.kind === 'refused') return JSON.stringify({ errors: found.errors });
    const failures: unknown[] = [];
    const noteFailure = (error: unknown) => {
      failures.push(error);
      throw error;
    };
    const context: SchemaContext = {
      async searchPackages(asked) {
        const outcome = await search.schema(asked).catch(noteFailure);
        if (outcome.kind !== 'answer') throw graphqlError(outcome);
        return JSON.parse(answerText(outcome));
      },
      async priceAnalysis(asked) {
        const outcome = await others.priceAnalysis(asked).catch(noteFailure);
        if (outcome.kind !== 'analyses') throw graphqlError(outcome);
        return outcome.analyses;
      },
      async cheapestDates(asked) {
        const outcome = await others.cheapestDates(asked).catch(noteFailure);
        if (outcome.kind !== 'dates') throw graphqlError(outcome);
        return outcome.dates;
      },
    };
    const result: ExecutionResult = await found.query.query({}, context, variables);
    // A failure of ours is no answer, and its words are for the log alone.
    if (failures.length > 0) throw new Error('The query failed', { cause: failures[0] });
    return JSON.stringify(result);
  }

  return async (request) => {
    if (isThePages(request)) {
      const outcome = await search.direct(request.variables);
      if (outcome.kind === 'answer') return `{"data":{"searchPackages":${answerText(outcome)}}}`;
    }
    return byTheSchema(request);
  };
}

function isThePages({ query, operationName }: GraphqlRequest): boolean {
  return query === SEARCH_PACKAGES_QUERY && (operationName === null || operationName === OPERATION_NAME);
}

function graphqlError(refusal: SearchRefusal): GraphQLError {
  return new GraphQLError(refusal.message, {
    extensions:
      refusal.kind === 'bad-token' ? { code: 'BAD_TOKEN' } : { code: 'BAD_USER_INPUT', field: refusal.field },
  });
}
