import * as v from 'valibot';
import {
  day,
  decimal,
  lowestPrice,
  pricePoint,
  selection,
  similarPrices,
} from './price-analysis-response.ts';

// `PriceHistory` of the GraphQL API (docs/contracts/price-history.md). The server's types and the page's
// query and parser derive from these schemas. Money is in pounds for the party.

/** The range of the price analysis that holds four prices in five. */
export const typicalPrices = v.object({ low: decimal, high: decimal });

export const priceHistoryResponse = v.object({
  itemKey: v.string(),
  price: decimal,
  asOf: v.pipe(v.string(), v.isoTimestamp()),
  from: day,
  to: day,
  prices: v.array(pricePoint),
  lowest30: v.nullable(lowestPrice),
  typical: v.nullable(typicalPrices),
  similar: v.nullable(similarPrices),
  sample: v.boolean(),
});

export type PriceHistoryResponse = v.InferOutput<typeof priceHistoryResponse>;

/** Requests the history of one package. */
export const PRICE_HISTORY_QUERY = `query priceHistory($itemKey: String!) { priceHistory(itemKey: $itemKey)${selection(priceHistoryResponse)} }`;
