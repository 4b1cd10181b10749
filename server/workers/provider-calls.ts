import { callProvider } from '../alerts/providers/provider-call.ts';
import type { ProviderCallsApi } from '../alerts/providers/provider-caller.ts';
import { serveWorker } from '../lib/worker-rpc.ts';

const pending = new Map<number, AbortController>();

const api: ProviderCallsApi = {
  async call(id, url, init, giveUpAt) {
    const controller = new AbortController();
    pending.set(id, controller);
    try {
      return await callProvider(url, init, controller.signal, giveUpAt);
    } finally {
      pending.delete(id);
    }
  },
  abort(id) {
    pending.get(id)?.abort();
  },
};

serveWorker<ProviderCallsApi>(() => api);
