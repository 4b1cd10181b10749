import { askThread } from '../../lib/worker-rpc.ts';
import type { CallInit, CallResult } from './provider-call.ts';

/** A message to the thread of the calls. `deadline` is in milliseconds since 1970. */
export type CallQuestion =
  | { kind: 'call'; call: number; url: string; init: CallInit; deadline: number }
  | { kind: 'abort'; call: number };

/** Makes a provider's calls. */
export interface ProviderCaller {
  /** One POST. It is sent to the thread before this returns. */
  call(url: string, init: CallInit, signal: AbortSignal): Promise<CallResult>;
  close(): Promise<void>;
}

/**
 * Makes calls in a separate thread, with a timeout of `timeoutMs`. The caller's thread may be blocked by the store for
 * longer than that. In this thread requests leave at once, responses are read when they come, and no call outlives its
 * lease (docs/decisions/0031-provider-calls-in-a-thread.md).
 */
export function providerCaller(timeoutMs: number): ProviderCaller {
  const thread = askThread<CallQuestion, CallResult>(
    "the provider's calls",
    new URL('../../workers/provider-calls.ts', import.meta.url),
    null,
  );
  let lastCall = 0;
  return {
    async call(url, init, signal) {
      const call = ++lastCall;
      const answer = thread.ask({ kind: 'call', call, url, init, deadline: Date.now() + timeoutMs });
      // If the thread has failed, the call itself rejects.
      const abort = () => void thread.ask({ kind: 'abort', call }).catch(() => {});
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await answer;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => thread.stop(),
  };
}
