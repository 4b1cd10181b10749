import { UNREACHABLE_MESSAGE } from '../search/failure-messages.ts';
import { KEPT_RESPONSES } from '../search/recent-searches.ts';
import type { SearchClient } from '../search/search-client.ts';
import { afterInteraction } from '../ui/after-interaction.ts';
import { lazyCode } from '../ui/lazy-code.ts';

/** The code that keeps and shows results for use offline. */
export const keptCode = lazyCode('kept results', () => import('./KeptNote.tsx'));

/** Keeps each search's first page in a cache, and returns what it kept if the search service cannot be reached. */
export function keepingClient(client: SearchClient, cacheName = KEPT_RESPONSES): SearchClient {
  return async (request, signal) => {
    if (request.nextToken !== null) return client(request, signal);
    try {
      const response = await client(request, signal);
      afterInteraction(() => {
        // If storage or workers are blocked, the page works without them.
        keptCode
          .load()
          .then(({ keepResponse }) => keepResponse(cacheName, request, response))
          .catch(() => {});
      });
      return response;
    } catch (error) {
      if (signal.aborted || !(error instanceof Error) || error.message !== UNREACHABLE_MESSAGE) throw error;
      const found = keptCode.load().then(({ findResponse }) => findResponse(cacheName, request));
      const kept = await found.catch(() => null);
      if (kept === null) throw error;
      return kept;
    }
  };
}
