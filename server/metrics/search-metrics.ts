import { Histogram, type Registry } from 'prom-client';
import type { SearchPackages } from '../package-search/search-packages.ts';

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** 'direct': the page's own query, written as text without the GraphQL schema. */
type SearchPath = 'direct' | 'schema';

/** Counts and times a search by path and outcome. */
export function searchMetrics(
  registry: Registry,
): (path: SearchPath, search: SearchPackages) => SearchPackages {
  const durations = new Histogram({
    name: 'skylark_search_duration_seconds',
    help: 'Duration of searches by path (direct, schema) and outcome (found, empty, refused, failed)',
    labelNames: ['path', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (path, search) => async (variables, caller, hasFacets) => {
    const from = performance.now();
    let outcome = 'failed';
    try {
      const response = await search(variables, caller, hasFacets);
      if (response.kind === 'response') outcome = response.items.length > 0 ? 'found' : 'empty';
      else outcome = 'refused';
      return response;
    } finally {
      durations.observe({ path, outcome }, (performance.now() - from) / 1_000);
    }
  };
}
