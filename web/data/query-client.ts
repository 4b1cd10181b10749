import { QueryCache, QueryClient } from '@tanstack/react-query';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { what: string; isNeeded?: boolean };
  }
}

/** How long data count as current. Prices change with imports. */
export const CURRENT_MS = 5 * 60_000;

/**
 * The page's data: each query's key is what its data depend on. `request` repeats requests and pauses them, so queries do
 * not. `meta.what` names the data in the log, as an error if the page does nothing without them.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (meta === undefined) return;
        const words = `${meta.what} could not be loaded.`;
        if (meta.isNeeded === true) console.error(words, error);
        else console.warn(words, error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: CURRENT_MS,
        retry: false,
        networkMode: 'always',
        structuralSharing: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  });
}
