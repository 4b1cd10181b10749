import { useEffect, useState } from 'react';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { fetchDayPrices, type PriceService } from './fetch-day-prices.ts';
import type { DayPrices } from './price-month.ts';

export type DayPricesState =
  | { status: 'pending' | 'failed' }
  | { status: 'stored'; prices: readonly DayPrices[] };

const PENDING: DayPricesState = { status: 'pending' };
const FAILED: DayPricesState = { status: 'failed' };

/** The prices of each of the filters. A question that is superseded is aborted; failures are logged. */
export function useDayPrices(
  service: PriceService,
  filters: readonly PackageSearchFilters[],
): { state: DayPricesState; retry: () => void } {
  const { searchEndpoint, searchApiKey } = service;
  const key = JSON.stringify([searchEndpoint, searchApiKey, filters]);
  const [attempt, setAttempt] = useState(0);
  const [known, setKnown] = useState<{ key: string; state: DayPricesState } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has all of the question; an attempt asks it again.
  useEffect(() => {
    const abort = new AbortController();
    fetchDayPrices(service, filters, abort.signal).then(
      (prices) => {
        if (!abort.signal.aborted) setKnown({ key, state: { status: 'stored', prices } });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.warn('The prices by day could not be fetched.', error);
        setKnown({ key, state: FAILED });
      },
    );
    return () => abort.abort();
  }, [key, attempt]);

  return {
    state: known?.key === key ? known.state : PENDING,
    retry() {
      setKnown(null);
      setAttempt(attempt + 1);
    },
  };
}
