import { useCallback, useEffect, useState } from 'react';
import { checkDeviceClock } from '../ui/device-clock.ts';
import type { LoadState } from '../ui/load-state.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig, parsePageConfig } from './page-config.ts';

const CONFIG_URL = '/config.json';

/** Short, because the page does nothing without its configuration. */
const TIMEOUT_MS = 6_000;

/** The page's configuration, and a function that fetches it again after a failure. */
export function usePageConfig(): { config: LoadState<PageConfig>; retry: () => void } {
  const [config, setConfig] = useState<LoadState<PageConfig>>({ status: 'pending' });
  const load = useCallback(() => {
    loadPageConfig().then(
      (value) => setConfig({ status: 'stored', value }),
      (error: unknown) => {
        console.error('The configuration could not be loaded.', error);
        setConfig({ status: 'failed', message: 'We couldn’t load this page’s settings.' });
      },
    );
  }, []);
  useEffect(load, [load]);
  const retry = useCallback(() => {
    setConfig({ status: 'pending' });
    load();
  }, [load]);
  return { config, retry };
}

/** Loads `/config.json`. On a host without that file, the page uses the defaults. */
async function loadPageConfig(): Promise<PageConfig> {
  const response = await fetch(CONFIG_URL, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  checkDeviceClock(response.headers.get('date'));
  if (response.status === 404) return DEFAULT_PAGE_CONFIG;
  if (!response.ok) throw new Error(`${CONFIG_URL} answered ${response.status}`);
  return parsePageConfig(await response.json());
}
