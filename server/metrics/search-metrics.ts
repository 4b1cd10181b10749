import { Counter, Histogram, type Registry } from 'prom-client';
import type { SearchPackages } from '../package-search/fields/search-packages.ts';

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** 'direct': the page's own query, written as text without the GraphQL schema. */
type SearchPath = 'direct' | 'schema';

/** Counts and times a search of the store by path and outcome. */
export function searchMetrics(
  registry: Registry,
): (path: SearchPath, search: SearchPackages) => SearchPackages {
  const durations = new Histogram({
    name: 'skylark_search_duration_seconds',
    help: 'Duration of searches of the store by path (direct, schema) and outcome (found, empty, refused, failed)',
    labelNames: ['path', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (path, search) => async (parsed, caller, hasFacets) => {
    const from = performance.now();
    let outcome = 'failed';
    try {
      const response = await search(parsed, caller, hasFacets);
      if (response.kind === 'response') outcome = response.items.length > 0 ? 'found' : 'empty';
      else outcome = 'refused';
      return response;
    } finally {
      durations.observe({ path, outcome }, (performance.now() - from) / 1_000);
    }
  };
}

/** Counts look-ups in the cache of answers. */
export function answerCacheMetrics(registry: Registry): (isHit: boolean) => void {
  const lookUps = new Counter({
    name: 'skylark_search_cache_lookups_total',
    help: "The page's searches by outcome of the look-up in the cache of answers (hit, miss)",
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['hit', 'miss']) lookUps.inc({ outcome }, 0);
  return (isHit) => lookUps.inc({ outcome: isHit ? 'hit' : 'miss' });
}
