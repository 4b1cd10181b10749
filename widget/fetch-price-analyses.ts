import * as v from 'valibot';
import { graphqlRequest } from '../domain/graphql-request.ts';
import {
  PRICE_ANALYSIS_QUERY,
  type PriceAnalysisResponse,
  priceAnalysisResponse,
} from '../domain/price-analysis-response.ts';
import { SCRIPT_ORIGIN } from './script-origin.ts';

const TIMEOUT_MS = 10_000;

const Config = v.object({ searchEndpoint: v.string(), searchApiKey: v.string() });

const Envelope = v.object({ data: v.object({ priceAnalysis: v.array(v.unknown()) }) });

interface SearchService {
  endpoint: string;
  apiKey: string;
}

let service: Promise<SearchService> | null = null;

/** Fetches analyses from the service of this script's origin. Rejects without a valid response. */
export async function fetchPriceAnalyses(itemKeys: readonly string[]): Promise<PriceAnalysisResponse[]> {
  service ??= readService();
  try {
    const { endpoint, apiKey } = await service;
    const response = await fetch(endpoint, {
      ...graphqlRequest(apiKey, PRICE_ANALYSIS_QUERY, { itemKeys }),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The price analysis service responded with status ${response.status}`);
    return parsePriceAnalyses(await response.json());
  } catch (error) {
    // The service's URL or key may have changed, so the next request reads them again.
    service = null;
    throw error;
  }
}

async function readService(): Promise<SearchService> {
  const url = `${SCRIPT_ORIGIN}/config.json`;
  const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { searchEndpoint, searchApiKey } = v.parse(Config, await response.json());
  return { endpoint: new URL(searchEndpoint, url).href, apiKey: searchApiKey };
}

/** The valid analyses in a parsed GraphQL response. Throws if the response has no list of analyses. */
export function parsePriceAnalyses(raw: unknown): PriceAnalysisResponse[] {
  return v.parse(Envelope, raw).data.priceAnalysis.flatMap((one) => {
    const parsed = v.safeParse(priceAnalysisResponse, one);
    return parsed.success ? [parsed.output] : [];
  });
}
