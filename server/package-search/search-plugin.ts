import type { FastifyInstance } from 'fastify';
import type { McpOptions } from '../mcp/mcp-plugin.ts';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import { priceAnalysisQuery, priceHistoryQuery } from '../price-history/price-analysis-query.ts';
import { cheapestDates } from './fields/cheapest-dates.ts';
import { explore } from './fields/explore.ts';
import { priceCalendar } from './fields/price-calendar.ts';
import { packageSearch } from './fields/search-packages.ts';
import { costAllowance } from './graphql/allowance.ts';
import { answerCache } from './graphql/answer-cache.ts';
import { graphqlExecutor } from './graphql/execute-graphql.ts';
import { addGraphqlRoute } from './graphql/graphql-route.ts';
import type { Collapse, PackageRepository } from './query/package-repository.ts';

type Search = ReturnType<typeof packageSearch>;

export interface SearchOptions {
  repository: PackageRepository;
  priceAnalyses: PriceAnalyses;
  apiKey: string;
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
  /** Serves the search to assistants. Null: not offered. */
  mcp: Pick<McpOptions, 'lists' | 'brandName' | 'publicUrl'> | null;
}

/** The GraphQL search, with price analyses, calendar and Explore. */
export async function searchPlugin(app: FastifyInstance, options: SearchOptions): Promise<void> {
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
  addGraphqlRoute(app, { apiKey: options.apiKey, executeGraphql });
  if (options.mcp !== null) {
    const { mcpPlugin } = await import('../mcp/mcp-plugin.ts');
    await app.register(mcpPlugin, { ...options, ...options.mcp, executeGraphql, charge });
  }
}
