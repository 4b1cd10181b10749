import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core';
import type { Query } from '@tanstack/react-query';
import { registerServiceWorker } from '../ui/trusted-script.ts';
import type { Keepable, OfflineCache } from './keepable.ts';

const MAX_KEPT = 10;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

/** Data have the types of this build only. */
const BUILD = import.meta.url;

/** Keeps a query's data in a cache, and the page's files for use offline. Rejects if storage is blocked or full. */
// biome-ignore lint/suspicious/noExplicitAny: a query of any data.
export async function keepQuery(cache: OfflineCache, query: Query<any, any, any, any>): Promise<void> {
  await persister(cache).persistQuery(query);
  // The development server has no worker.
  if (import.meta.env.PROD) await registerServiceWorker();
}

/** The kept data of the query with this hash; undefined if there are none. Rejects if storage is blocked. */
export function findQuery<Data extends Keepable>(
  cache: OfflineCache,
  hash: string,
): Promise<Data | undefined> {
  return persister(cache).retrieveQuery<Data>(hash);
}

interface Persisted {
  state: { data: Keepable; dataUpdatedAt: number };
}

function persister(name: OfflineCache) {
  return experimental_createQueryPersister({
    storage: cacheStorage(name),
    buster: BUILD,
    maxAge: MAX_AGE_MS,
    deserialize(text) {
      const query = JSON.parse(text) as Persisted;
      query.state.data.keptAt = query.state.dataUpdatedAt;
      return query as never;
    },
  });
}

/** A cache as the persister's storage. Its keys are never requested as URLs. It holds the latest entries. */
function cacheStorage(name: OfflineCache) {
  const urlOf = (key: string) => `/kept?${encodeURIComponent(key)}`;
  return {
    async getItem(key: string) {
      return (await caches.match(urlOf(key), { cacheName: name }))?.text();
    },
    async setItem(key: string, text: string) {
      const cache = await caches.open(name);
      // The cache lists its entries in the order of their writing.
      await cache.delete(urlOf(key));
      await cache.put(urlOf(key), new Response(text));
      const kept = await cache.keys();
      await Promise.all(kept.slice(0, -MAX_KEPT).map((old) => cache.delete(old)));
    },
    async removeItem(key: string) {
      await (await caches.open(name)).delete(urlOf(key));
    },
  };
}
