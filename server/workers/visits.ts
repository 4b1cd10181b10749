import { workerData } from 'node:worker_threads';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { VisitsWorkerApi } from '../visits/record-visits.ts';
import { visitBatches } from '../visits/visit-batches.ts';
import { visitWriter } from '../visits/visit-table.ts';

let record: VisitsWorkerApi['record'] | null = null;

serveWorker<VisitsWorkerApi>(() => {
  record ??= open();
  return { record };
});

function open(): VisitsWorkerApi['record'] {
  const database = openDatabase(workerData as StoreAddress, { interactive: true, isExisting: true });
  return visitBatches(visitWriter(database), setImmediate);
}
