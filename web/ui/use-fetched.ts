import { useEffect, useEffectEvent, useState } from 'react';

export type FetchState<Value> = { status: 'pending' | 'failed' } | { status: 'stored'; value: Value };

export interface Fetched<Value> {
  state: FetchState<Value>;
  /** The value fetched last, which may belong to an earlier key; null after a failure. */
  latest: Value | null;
  /** Fetches again after a failure. */
  retry: () => void;
}

const PENDING = { status: 'pending' } as const;

/**
 * Fetches a value for each key, and aborts the request when the key changes. Nothing is fetched for null. Failures are
 * logged; `what` names the value.
 */
export function useFetched<Value>(
  what: string,
  key: string | null,
  load: (signal: AbortSignal) => Promise<Value>,
): Fetched<Value> {
  const [attempt, setAttempt] = useState(0);
  const [ended, setEnded] = useState<{ request: string; state: FetchState<Value> } | null>(null);
  const request = key === null ? null : `${attempt} ${key}`;
  const start = useEffectEvent(load);

  useEffect(() => {
    if (request === null) return;
    const abort = new AbortController();
    start(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setEnded({ request, state: { status: 'stored', value } });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        console.warn(`${what} could not be fetched.`, error);
        setEnded({ request, state: { status: 'failed' } });
      },
    );
    return () => abort.abort();
  }, [what, request]);

  return {
    state: ended !== null && ended.request === request ? ended.state : PENDING,
    latest: ended?.state.status === 'stored' ? ended.state.value : null,
    retry: () => setAttempt(attempt + 1),
  };
}
