import { registerServiceWorker } from '../ui/trusted-script.ts';
import type { SearchRequest, SearchResponse } from './search-client.ts';

const MAX_KEPT = 10;

/** The cache's key for a search, whatever its sort order. It is never requested as a URL. */
function urlOf({ filters, refine }: SearchRequest): string {
  return `/kept-responses?${encodeURIComponent(JSON.stringify([filters, refine]))}`;
}

/**
 * Keeps a response in a cache on this device, and the page's files for use offline. Rejects if storage is blocked or
 * full.
 */
export async function keepResponse(
  cacheName: string,
  request: SearchRequest,
  response: SearchResponse,
): Promise<void> {
  const cache = await caches.open(cacheName);
  const { items, count, facets } = response;
  const url = urlOf(request);
  // The cache lists its entries in the order of their writing.
  await cache.delete(url);
  await cache.put(url, Response.json({ keptAt: Date.now(), items, count, facets }));
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, -MAX_KEPT).map((old) => cache.delete(old)));
  // The development server has no worker.
  if (import.meta.env.PROD) await registerServiceWorker();
}

/** The kept response to this search, as its only page; null if there is none. Rejects if storage is blocked. */
export async function findResponse(
  cacheName: string,
  request: SearchRequest,
): Promise<SearchResponse | null> {
  const kept = await caches.match(urlOf(request), { cacheName });
  // Written by any build of the page. Its items are parsed like the server's.
  const { items, count, facets, keptAt } = ((await kept?.json()) ?? {}) as Partial<SearchResponse>;
  if (!Array.isArray(items) || keptAt === undefined) return null;
  return { items, count: count ?? null, facets, keptAt, hasMoreData: false, nextToken: null };
}
