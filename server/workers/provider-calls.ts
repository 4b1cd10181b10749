import { workerData } from 'node:worker_threads';
import { callProvider } from '../alerts/providers/http-call.ts';
import type { ProviderCallsApi } from '../alerts/providers/provider-caller.ts';
import type { SmtpServer } from '../alerts/providers/smtp-call.ts';
import { serveWorker } from '../lib/worker-rpc.ts';

const pending = new Map<number, AbortController>();
const smtpServers = new Map<string, SmtpServer>();

/** Loads the mail code with the first email. `workerData` is a call's time limit in milliseconds. */
async function smtpServerAt(url: string): Promise<SmtpServer> {
  const { smtpServer } = await import('../alerts/providers/smtp-call.ts');
  const known = smtpServers.get(url) ?? smtpServer(url, workerData as number);
  smtpServers.set(url, known);
  return known;
}

async function abortable<T>(id: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  pending.set(id, controller);
  try {
    return await work(controller.signal);
  } finally {
    pending.delete(id);
  }
}

const api: ProviderCallsApi = {
  call: (id, url, init, giveUpAt) => abortable(id, (signal) => callProvider(url, init, signal, giveUpAt)),
  sendMail: (id, url, mail, giveUpAt) =>
    abortable(id, async (signal) => (await smtpServerAt(url)).send(mail, signal, giveUpAt)),
  abort(id) {
    pending.get(id)?.abort();
  },
};

serveWorker<ProviderCallsApi>(() => api);
