import * as v from 'valibot';
import { type PriceAnalysis, parsePriceAnalyses } from './price-analysis-answer.ts';

const TIMEOUT_MS = 10_000;

const config = v.object({ searchEndpoint: v.string(), searchApiKey: v.string() });

const QUERY = `query priceAnalysis($itemKeys: [String!]!) {
  priceAnalysis(itemKeys: $itemKeys) {
    itemKey price asOf level label
    evidence {
      typicalLow typicalHigh comparedWith windowDays knownSince sample
      own { median prices percent level strong }
      comparable { median prices percent level strong }
      history { day price }
      lowest { day price }
      latest { day price }
    }
    expected { price low high modelVersion reasons { label amount } }
    drop { chance baseRate }
  }
}`;

/** Fetches analyses from the page's search service. Rejects if it is unreachable or its answer has no analyses. */
export async function fetchPriceAnalyses(itemKeys: readonly string[]): Promise<PriceAnalysis[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const settings = await fetch('/config.json', { signal });
  const { searchEndpoint, searchApiKey } = v.parse(config, await settings.json());
  const response = await fetch(searchEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
    body: JSON.stringify({ query: QUERY, variables: { itemKeys } }),
    signal,
  });
  if (!response.ok) throw new Error(`The price analysis answered ${response.status}`);
  return parsePriceAnalyses(await response.json());
}
