import { workerPool } from '../../lib/worker-rpc.ts';
import type { CallInit, CallResult } from './http-call.ts';
import type { SendOutcome } from './message-provider.ts';
import type { Mail } from './smtp-call.ts';

export interface ProviderCallsApi {
  /** `giveUpAt` is in milliseconds since 1970. */
  call(id: number, url: string, init: CallInit, giveUpAt: number): Promise<CallResult>;
  sendMail(id: number, url: string, mail: Mail, giveUpAt: number): Promise<SendOutcome>;
  abort(id: number): void;
}

/** Makes calls in a worker, because this thread may wait for the store longer than a call may take. */
export function providerCaller(timeoutMs: number) {
  const file = new URL('../../workers/provider-calls.ts', import.meta.url);
  const { api, terminate } = workerPool<ProviderCallsApi>(file, timeoutMs, {
    methods: ['call', 'sendMail', 'abort'],
  });
  let lastId = 0;

  /** Starts a call in the worker synchronously. `signal` aborts it. */
  async function abortable<T>(
    start: (id: number, giveUpAt: number) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const id = ++lastId;
    const result = start(id, Date.now() + timeoutMs);
    // If the worker has failed, the call itself is rejected too.
    const abort = () => void api.abort(id).catch(() => {});
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await result;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    call: (url: string, init: CallInit, signal: AbortSignal) =>
      abortable((id, giveUpAt) => api.call(id, url, init, giveUpAt), signal),
    sendMail: (url: string, mail: Mail, signal: AbortSignal) =>
      abortable((id, giveUpAt) => api.sendMail(id, url, mail, giveUpAt), signal),
    close: terminate,
  };
}
