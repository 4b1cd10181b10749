import { useSyncExternalStore } from 'react';

/** The state of code that is loaded on demand. */
export type LazyState<Code> = { status: 'unasked' | 'pending' | 'failed' } | { status: 'stored'; code: Code };

/** Code that is loaded on demand. */
export interface LazyCode<Code> {
  /** Fetches the code once; a call after a failure fetches it again. Rejects on failure. */
  load(): Promise<Code>;
  /** Starts loading; failures are only stored and logged. */
  preload(): void;
  current(): LazyState<Code>;
  subscribe(listener: () => void): () => void;
}

const UNASKED = { status: 'unasked' } as const;

/** After this time, the load counts as failed; code that arrives later is still used. */
const TIMEOUT_MS = 20_000;

/** `what` names the code in console messages. */
export function lazyCode<Code>(what: string, fetchCode: () => Promise<Code>): LazyCode<Code> {
  const listeners = new Set<() => void>();
  let state: LazyState<Code> = UNASKED;
  let loading: Promise<Code> | null = null;

  function setState(next: LazyState<Code>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function load(): Promise<Code> {
    if (loading !== null) return loading;
    setState({ status: 'pending' });
    const fetched: Promise<Code> = fetchCode().then((code) => {
      loading = fetched;
      setState({ status: 'stored', code });
      return code;
    });
    loading = Promise.race([fetched, rejectAfterTimeout()]).catch((error: unknown) => {
      console.error(`The ${what} could not be loaded.`, error);
      loading = null;
      setState({ status: 'failed' });
      throw error;
    });
    return loading;
  }

  return {
    load,
    preload: () => void load().catch(() => {}),
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function rejectAfterTimeout(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`Timed out after ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
}

/** The current state of lazy code; 'unasked' during prerendering and hydration. */
export function useLazyCode<Code>({ subscribe, current }: LazyCode<Code>): LazyState<Code> {
  return useSyncExternalStore(subscribe, current, () => UNASKED);
}
