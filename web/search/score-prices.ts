import * as v from 'valibot';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { PriceScores } from '../../domain/sort-by.ts';
import { fetchData, type SearchService } from './search-service.ts';

/** The most packages that are scored: the first of the server's order. */
const MAX_SCORED = 100;
/** The most keys of a request (`docs/contracts/price-analysis.md`). */
const KEYS = 10;
const TIMEOUT_MS = 10_000;

const QUERY = `query ($itemKeys: [String!]!) {
  priceAnalysis(itemKeys: $itemKeys) {
    itemKey
    price
    change { amount }
    expected { price }
  }
}`;

const Answer = v.object({
  priceAnalysis: v.array(
    v.object({
      itemKey: v.string(),
      price: v.number(),
      change: v.nullable(v.object({ amount: v.number() })),
      expected: v.nullable(v.object({ price: v.number() })),
    }),
  ),
});

/**
 * Scores prices: 'value' by the expected price, 'drop' by the fall within 30 days that the card shows. Packages
 * whose request fails have no score.
 */
export async function scorePrices(
  service: SearchService,
  packages: readonly PackageHoliday[],
  signal: AbortSignal,
): Promise<PriceScores> {
  const [value, drop] = [new Map<string, number>(), new Map<string, number>()];
  const keys = packages.slice(0, MAX_SCORED).map(({ ItemKey }) => ItemKey);
  const score = async (itemKeys: readonly string[]) => {
    const request = { query: QUERY, variables: { itemKeys }, signal, timeoutMs: TIMEOUT_MS };
    const { priceAnalysis } = await fetchData(service, request, Answer);
    for (const { itemKey, price, change, expected } of priceAnalysis) {
      if (expected !== null) value.set(itemKey, expected.price / price);
      if (change !== null) drop.set(itemKey, -change.amount);
    }
  };
  const chunks = Array.from({ length: Math.ceil(keys.length / KEYS) }, (_, nth) =>
    keys.slice(nth * KEYS, (nth + 1) * KEYS),
  );
  const results = await Promise.allSettled(chunks.map(score));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined && !signal.aborted) console.warn('Some prices could not be compared.', failed);
  return { 'value-desc': value, 'drop-desc': drop };
}
