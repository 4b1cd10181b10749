import type { QueryPersister } from '@tanstack/react-query';
import { afterInteraction } from '../ui/after-interaction.ts';
import type { Keepable, OfflineCache } from './keepable.ts';
import { isUnreachable } from './request.ts';

/**
 * Keeps a query's data on this device, and returns what it kept if the service cannot be reached. Waits for the visitor's
 * first interaction before it keeps anything, and does without where storage is blocked or full.
 */
export function offlineStore<Data extends Keepable>(cache: OfflineCache): QueryPersister<Data> {
  return async (queryFn, context, query) => {
    try {
      const data = await (queryFn as (context: object) => Promise<Data>)(context);
      afterInteraction(() => {
        import('./kept-queries.ts').then(({ keepQuery }) => keepQuery(cache, query)).catch(() => {});
      });
      return data;
    } catch (error) {
      if (!isUnreachable(error) || context.signal.aborted) throw error;
      const found = import('./kept-queries.ts').then(({ findQuery }) =>
        findQuery<Data>(cache, query.queryHash),
      );
      const kept = await found.catch(() => undefined);
      if (kept === undefined) throw error;
      return kept;
    }
  };
}
