import { useMemo } from 'react';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';
import type { LoadState } from '../ui/load-state.ts';

/** The code that searches the two lists and renders the matches, loaded on the first interaction. */
const listSearchCode = lazyCode('search in the lists', () => import('./list-search-chunk.ts'));

type ListSearchCode = typeof import('./list-search-chunk.ts');

export interface ListSearch<List> {
  /** The list and its search code, once both are loaded. */
  ready: { list: List; code: ListSearchCode } | null;
  /** The message about a failed load, and a retry. */
  error: { words: string; onRetry: () => void } | null;
  /** Loads the code. Called on the visitor's first interaction. */
  preload: () => void;
}

/** A list of the form with its search code. `onRetry` loads the list again. */
export function useListSearch<List>(list: LoadState<List>, onRetry: () => void): ListSearch<List> {
  const search = useLazyCode(listSearchCode);
  const value = list.status === 'stored' ? list.value : null;
  const code = search.status === 'stored' ? search.code : null;
  const ready = useMemo(
    () => (value === null || code === null ? null : { list: value, code }),
    [value, code],
  );
  const { preload } = listSearchCode;
  if (list.status === 'failed') return { ready, error: { words: list.message, onRetry }, preload };
  const trouble = search.status === 'failed' ? { words: SEARCH_FAILED, onRetry: preload } : null;
  return { ready, error: trouble, preload };
}

const SEARCH_FAILED = 'We couldn’t load this list.';
