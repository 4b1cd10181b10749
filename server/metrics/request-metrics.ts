import { Histogram, type Registry } from 'prom-client';
import type { SentResponse } from '../http/request-log.ts';

/** In seconds: low enough to tell static files from searches, up to when visitors give up. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times responses by route, so that made-up URLs create no time series. */
export function requestMetrics(registry: Registry): (response: SentResponse) => void {
  const durations = new Histogram({
    name: 'skylark_http_request_duration_seconds',
    help: 'Duration of responses by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  // Cached, because looking up a series by its labels takes longer than counting.
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  return ({ method, route, status, ms }) => {
    const key = `${method} ${status} ${route}`;
    let found = series.get(key);
    if (found === undefined) {
      found = durations.labels({ method, route: route ?? 'none', status: String(status) });
      series.set(key, found);
    }
    found.observe(ms / 1_000);
  };
}
