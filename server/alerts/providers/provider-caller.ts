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

/** Makes a provider's calls. */
export interface ProviderCaller {
  /** Posts a call to the worker before it returns. */
  call(url: string, init: CallInit, signal: AbortSignal): Promise<CallResult>;
  /** Posts an email to the worker before it returns. */
  sendMail(url: string, mail: Mail, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
}

/** Makes calls in a worker, because this thread may wait for the store longer than a call may take. */
export function providerCaller(timeoutMs: number): ProviderCaller {
  const file = new URL('../../workers/provider-calls.ts', import.meta.url);
  const { api, terminate } = workerPool<ProviderCallsApi>(file, timeoutMs, {
    methods: ['call', 'sendMail', 'abort'],
  });
  let lastId = 0;

  async function abortable<T>(id: number, result: Promise<T>, signal: AbortSignal): Promise<T> {
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
    call(url, init, signal) {
      const id = ++lastId;
      return abortable(id, api.call(id, url, init, Date.now() + timeoutMs), signal);
    },
    sendMail(url, mail, signal) {
      const id = ++lastId;
      return abortable(id, api.sendMail(id, url, mail, Date.now() + timeoutMs), signal);
    },
    close: terminate,
  };
}
