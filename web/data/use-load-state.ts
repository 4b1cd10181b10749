import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LoadState } from '../ui/load-state.ts';

/** The state of data that is loaded once, with `message` for the visitor if that failed. */
export function useLoadState<T>(
  { data, isError, isFetching }: UseQueryResult<T>,
  message: string,
): LoadState<T> {
  return useMemo(() => {
    if (data !== undefined) return { status: 'stored', value: data };
    return isError && !isFetching ? { status: 'failed', message } : { status: 'pending' };
  }, [data, isError, isFetching, message]);
}
