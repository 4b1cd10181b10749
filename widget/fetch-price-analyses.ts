import * as v from 'valibot';
import { graphqlRequest } from '../domain/graphql-request.ts';
import {
  PRICE_ANALYSIS_QUERY,
  type PriceAnalysisResponse,
  priceAnalysisResponse,
} from '../domain/price-analysis-response.ts';
import { SCRIPT_ORIGIN } from './script-origin.ts';

const TIMEOUT_MS = 10_000;

const config = v.object({ searchEndpoint: v.string(), searchApiKey: v.string() });

const answer = v.object({ data: v.object({ priceAnalysis: v.array(v.unknown()) }) });

interface SearchService {
  endpoint: string;
  apiKey: string;
}

let service: Promise<SearchService> | null = null;

/**
 * Fetches analyses from the search service of the script's own origin, without credentials. Rejects if it is unreachable
 * or its answer has no analyses.
 */
export async function fetchPriceAnalyses(itemKeys: readonly string[]): Promise<PriceAnalysisResponse[]> {
  service ??= readService();
  try {
    const { endpoint, apiKey } = await service;
    const response = await fetch(endpoint, {
      ...graphqlRequest(apiKey, PRICE_ANALYSIS_QUERY, { itemKeys }),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The price analysis answered ${response.status}`);
    return parsePriceAnalyses(await response.json());
  } catch (error) {
    // The address or the key may have changed: the next request reads them again.
    service = null;
    throw error;
  }
}

async function readService(): Promise<SearchService> {
  const address = `${SCRIPT_ORIGIN}/config.json`;
  const response = await fetch(address, { credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { searchEndpoint, searchApiKey } = v.parse(config, await response.json());
  return { endpoint: new URL(searchEndpoint, address).href, apiKey: searchApiKey };
}

/** The analyses in a parsed GraphQL answer; an invalid one is left out. Throws if there is no answer. */
export function parsePriceAnalyses(raw: unknown): PriceAnalysisResponse[] {
  return v.parse(answer, raw).data.priceAnalysis.flatMap((one) => {
    const parsed = v.safeParse(priceAnalysisResponse, one);
    return parsed.success ? [parsed.output] : [];
  });
}
