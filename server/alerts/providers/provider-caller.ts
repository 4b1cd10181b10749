import { askThread } from '../../lib/worker-rpc.ts';
import type { CallInit, CallResult } from './provider-call.ts';

/** What the thread of the calls is asked. */
export type CallQuestion =
  /** `giveUpAt` is in milliseconds since 1970. */
  | { kind: 'call'; call: number; url: string; init: CallInit; giveUpAt: number }
  | { kind: 'give up'; call: number };

/** Makes a provider's calls. */
export interface ProviderCaller {
  /** One POST. It is on its way to the thread before this returns. */
  call(url: string, init: CallInit, signal: AbortSignal): Promise<CallResult>;
  close(): Promise<void>;
}

/**
 * Calls in a thread of their own, each given up after `timeoutMs`. Whoever asks waits for the store in between, and may
 * be held up by it for longer than a call may take: here a request leaves at once, an answer is read when it comes, and
 * no call outlives its lease.
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
      const answer = thread.ask({ kind: 'call', call, url, init, giveUpAt: Date.now() + timeoutMs });
      // Where the thread has failed, the call itself is told so.
      const giveUp = () => void thread.ask({ kind: 'give up', call }).catch(() => {});
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await answer;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    close: () => thread.stop(),
  };
}
