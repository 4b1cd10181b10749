import type { FastifyInstance } from 'fastify';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import { priceAnalysisQuery, priceHistoryQuery } from '../price-history/price-analysis-query.ts';
import { cheapestDates } from './fields/cheapest-dates.ts';
import { explore } from './fields/explore.ts';
import { priceCalendar } from './fields/price-calendar.ts';
import { packageSearch } from './fields/search-packages.ts';
import { type Charge, costAllowance } from './graphql/allowance.ts';
import { answerCache } from './graphql/answer-cache.ts';
import { type ExecuteGraphql, graphqlExecutor } from './graphql/execute-graphql.ts';
import { addGraphqlRoute } from './graphql/graphql-route.ts';
import type { Collapse, PackageRepository } from './query/package-repository.ts';

type Search = ReturnType<typeof packageSearch>;

export interface SearchOptions {
  repository: PackageRepository;
  priceAnalyses: PriceAnalyses;
  brandCode: string;
  collapse: Collapse;
  introspection: boolean;
  tokenKey: Uint8Array;
  /** In milliseconds since 1970. */
  now: () => number;
  /** Counts and times a search, by the path that it takes. */
  measured: (path: 'direct' | 'schema', search: Search) => Search;
  /** Counts the look-ups of cached answers. */
  onLookUp: (isHit: boolean) => void;
}

/** The search, and what it charges each client. */
export interface SearchService {
  executeGraphql: ExecuteGraphql;
  charge: Charge;
}

/** The GraphQL search, with price analyses, calendar and Explore. */
export function searchService(options: SearchOptions): SearchService {
  const { repository, priceAnalyses, brandCode, collapse, tokenKey, now, measured } = options;
  const search = packageSearch({ repository, brandCode, collapse, tokenKey, now });
  const answers = answerCache({
    inventoryVersion: repository.inventoryVersion,
    now,
    onLookUp: options.onLookUp,
  });
  const charge = costAllowance();
  const executeGraphql = graphqlExecutor(
    { direct: measured('direct', search), schema: measured('schema', search) },
    {
      priceAnalysis: priceAnalysisQuery(priceAnalyses, now),
      priceHistory: priceHistoryQuery(priceAnalyses, now),
      cheapestDates: cheapestDates({ repository, brandCode, now }),
      priceCalendar: priceCalendar({ repository, brandCode, now }),
      explore: explore({ repository, brandCode, now }),
    },
    { introspection: options.introspection, collapse, answers, charge },
  );
  return { executeGraphql, charge };
}

export async function searchPlugin(
  app: FastifyInstance,
  options: { apiKey: string; executeGraphql: ExecuteGraphql },
): Promise<void> {
  addGraphqlRoute(app, options);
}
