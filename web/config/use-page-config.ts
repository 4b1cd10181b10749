import { useQuery } from '@tanstack/react-query';
import { RequestError, request } from '../data/request.ts';
import { useLoadState } from '../data/use-load-state.ts';
import { checkDeviceClock } from '../ui/device-clock.ts';
import type { LoadState } from '../ui/load-state.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig, parsePageConfig } from './page-config.ts';

const CONFIG_URL = '/config.json';

/** Short, because the page does nothing without its configuration. */
const TIMEOUT_MS = 6_000;

/** The page's configuration, and a function that fetches it again after a failure. */
export function usePageConfig(): { config: LoadState<PageConfig>; retry: () => void } {
  const query = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => loadPageConfig(signal),
    staleTime: Infinity,
    meta: { what: 'The configuration', isNeeded: true },
  });
  const config = useLoadState(query, 'We couldn’t load this page’s settings.');
  return { config, retry: () => void query.refetch() };
}

/** Loads `/config.json`. On a host without that file, the page uses the defaults. */
export async function loadPageConfig(signal: AbortSignal): Promise<PageConfig> {
  const init = { headers: { accept: 'application/json' } };
  const response = await request(CONFIG_URL, init, { signal, timeoutMs: TIMEOUT_MS });
  checkDeviceClock(response.headers.get('date'));
  const { ok, status } = response;
  if (status === 404) return DEFAULT_PAGE_CONFIG;
  if (!ok) throw new RequestError(`${CONFIG_URL} answered ${status}`, status);
  return parsePageConfig(await response.json());
}
