import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { LoadState } from '../ui/load-state.ts';
import { formCode } from './form-code.ts';

type ListSearchCode = typeof import('./form-parts.ts');

export interface ListSearch<List> {
  /** The list and its search code, once both are loaded. */
  ready: { list: List; code: ListSearchCode } | null;
  /** The message about a failed load, and a retry. */
  error: { words: string; onRetry: () => void } | null;
  /** Loads the code. Called on the visitor's first interaction. */
  preload: () => void;
}

/** The code that searches the two lists and renders the matches. */
const CODE = { queryKey: ['code', 'form'], queryFn: formCode.load, staleTime: Infinity, gcTime: Infinity };

/** A list of the form with its search code. `onRetry` loads the list again. */
export function useListSearch<List>(list: LoadState<List>, onRetry: () => void): ListSearch<List> {
  const queries = useQueryClient();
  const { data: code = null } = useQuery({ ...CODE, enabled: false });
  const preload = useCallback(() => void queries.prefetchQuery(CODE), [queries]);
  const value = list.status === 'stored' ? list.value : null;
  const ready = useMemo(
    () => (value === null || code === null ? null : { list: value, code }),
    [value, code],
  );
  return { ready, error: list.status === 'failed' ? { words: list.message, onRetry } : null, preload };
}
