import * as v from 'valibot';
import {
  PRICE_HISTORY_QUERY,
  type PriceHistoryResponse,
  priceHistoryResponse,
} from '../../domain/price-history-response.ts';
import { withTimeout } from '../search/with-timeout.ts';

const TIMEOUT_MS = 20_000;

const Answer = v.object({ data: v.object({ priceHistory: v.nullable(priceHistoryResponse) }) });

/** Fetches the prices of a package; null if it is no longer on sale. Rejects if the request fails. */
export async function fetchPriceHistory(
  { searchEndpoint, searchApiKey }: { searchEndpoint: string; searchApiKey: string },
  itemKey: string,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<PriceHistoryResponse | null> {
  const response = await send(searchEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
    body: JSON.stringify({ query: PRICE_HISTORY_QUERY, variables: { itemKey } }),
    signal: withTimeout(signal, TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${searchEndpoint} answered ${response.status}`);
  return v.parse(Answer, await response.json()).data.priceHistory;
}
