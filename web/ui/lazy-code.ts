import { useSyncExternalStore } from 'react';

/** Code that the first paint does without: not asked for, on its way, here, or not to be had. */
export type LazyState<Code> = { status: 'unasked' | 'pending' | 'failed' } | { status: 'stored'; code: Code };

/** A part of the page's code that is fetched when it is first wanted. */
export interface LazyCode<Code> {
  /** Fetches it once, however often it is called; after a failure it asks again. Rejects where it fails. */
  load(): Promise<Code>;
  /** The same, for those who do not wait for it: on the first sign that it will be wanted. */
  preload(): void;
  current(): LazyState<Code>;
  subscribe(listener: () => void): () => void;
}

const UNASKED = { status: 'unasked' } as const;

/** Code that has not come by then counts as not to be had, in milliseconds; where it comes later it is taken. */
const TIMEOUT_MS = 20_000;

/** `what` names the code in the console where it could not be fetched. */
export function lazyCode<Code>(what: string, fetchCode: () => Promise<Code>): LazyCode<Code> {
  const listeners = new Set<() => void>();
  let state: LazyState<Code> = UNASKED;
  let loading: Promise<Code> | null = null;

  function become(next: LazyState<Code>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function load(): Promise<Code> {
    if (loading !== null) return loading;
    become({ status: 'pending' });
    const fetched: Promise<Code> = fetchCode().then((code) => {
      loading = fetched;
      become({ status: 'stored', code });
      return code;
    });
    loading = Promise.race([fetched, rejectAfterTimeout()]).catch((error: unknown) => {
      console.error(`The ${what} could not be loaded.`, error);
      loading = null;
      become({ status: 'failed' });
      throw error;
    });
    return loading;
  }

  return {
    load,
    // The failure is in the state, and in the console.
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
    setTimeout(() => reject(new Error(`It has not come within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
}

/** The state of lazy code, followed. What is prerendered has none of it, and hydration begins there. */
export function useLazyCode<Code>({ subscribe, current }: LazyCode<Code>): LazyState<Code> {
  return useSyncExternalStore(subscribe, current, () => UNASKED);
}
