import * as v from 'valibot';
import {
  PRICE_HISTORY_QUERY,
  type PriceHistoryResponse,
  priceHistoryResponse,
} from '../../domain/price-history-response.ts';
import { fetchData, type SearchService } from '../search/search-service.ts';

const TIMEOUT_MS = 20_000;

const Data = v.object({ priceHistory: v.nullable(priceHistoryResponse) });

/** Fetches the prices of a package; null if it is no longer on sale. Rejects if the request fails. */
export async function fetchPriceHistory(
  service: SearchService,
  itemKey: string,
  signal: AbortSignal,
): Promise<PriceHistoryResponse | null> {
  const query = { query: PRICE_HISTORY_QUERY, variables: { itemKey }, signal, timeoutMs: TIMEOUT_MS };
  return (await fetchData(service, query, Data)).priceHistory;
}
