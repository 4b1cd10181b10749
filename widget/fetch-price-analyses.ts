import * as v from 'valibot';
import {
  PRICE_ANALYSIS_QUERY,
  type PriceAnalysisAnswer,
  priceAnalysisAnswer,
} from '../domain/price-analysis-answer.ts';

const TIMEOUT_MS = 10_000;

const config = v.object({ searchEndpoint: v.string(), searchApiKey: v.string() });

const answer = v.object({ data: v.object({ priceAnalysis: v.array(v.unknown()) }) });

/** Fetches analyses from the page's search service. Rejects if it is unreachable or its answer has no analyses. */
export async function fetchPriceAnalyses(itemKeys: readonly string[]): Promise<PriceAnalysisAnswer[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const settings = await fetch('/config.json', { signal });
  const { searchEndpoint, searchApiKey } = v.parse(config, await settings.json());
  const response = await fetch(searchEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
    body: JSON.stringify({ query: PRICE_ANALYSIS_QUERY, variables: { itemKeys } }),
    signal,
  });
  if (!response.ok) throw new Error(`The price analysis answered ${response.status}`);
  return parsePriceAnalyses(await response.json());
}

/** The analyses in a parsed GraphQL answer; an invalid one is left out. Throws if there is no answer. */
export function parsePriceAnalyses(raw: unknown): PriceAnalysisAnswer[] {
  return v.parse(answer, raw).data.priceAnalysis.flatMap((one) => {
    const parsed = v.safeParse(priceAnalysisAnswer, one);
    return parsed.success ? [parsed.output] : [];
  });
}
