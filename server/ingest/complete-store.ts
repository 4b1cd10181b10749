import { setTimeout as sleep } from 'node:timers/promises';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import { CHARGES_APPLIED } from '../inventory/inventory-notes.ts';
import { errorMessage } from '../lib/error-message.ts';
import { workerThread } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** How long to wait after a failure, or while another server does the work. */
const RETRY_MS = 10_000;

export interface CompletionData {
  store: StoreAddress;
  charges: ChargeTable;
}

export interface CompletionApi {
  /** `elsewhere`: another server is at work. */
  complete(): Promise<'done' | 'elsewhere'>;
}

/**
 * Completes a store in a thread while it is searched: applies the table of charges. Retries until it is done.
 */
export function completeStore(data: CompletionData, log: (line: string) => void) {
  const file = new URL('../workers/store-completion.ts', import.meta.url);
  const thread = workerThread(file, data);
  const { api } = thread.part<CompletionApi>('store completion', { methods: ['complete'] });
  let isStopped = false;
  let running = Promise.resolve();
  let isWaiting = false;
  let lastFailure = '';

  async function complete(): Promise<void> {
    while (!isStopped) {
      try {
        if ((await api.complete()) === 'done') break;
      } catch (error) {
        const failure = errorMessage(error);
        if (!isStopped && failure !== lastFailure) log(`The store is not complete yet: ${failure}`);
        lastFailure = failure;
      }
      await sleep(RETRY_MS, null, { ref: false });
    }
    await thread.end();
  }

  const run = () => {
    if (isWaiting) return;
    isWaiting = true;
    running = running.then(() => {
      isWaiting = false;
      return complete();
    });
  };
  run();
  return {
    /** Looks again, because an import that began before may have written charges of the table before. */
    run,
    async stop(): Promise<void> {
      isStopped = true;
      await thread.terminate();
    },
  };
}

/** What `completeStore` has not done yet, by the store's notes, for operators. */
export async function readUnfinishedWork(
  readNote: (name: string) => Promise<string | null>,
): Promise<string[]> {
  const chargesApplied = await readNote(CHARGES_APPLIED);
  if (chargesApplied === null || chargesApplied === 'yes') return [];
  const day = Number(chargesApplied) || 0;
  const reached = day === 0 ? '' : ` Departures before ${fromDayNumber(day)} are done.`;
  return [`A new table of charges at the resorts is being applied.${reached} Searches work.`];
}
