import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { inTransaction } from '../../server/storage/in-transaction.ts';
import { openDatabase } from '../../server/storage/open-database.ts';
import type { StoreAddress } from '../../server/storage/store-address.ts';

/** Holds the store's write lock for `ms`, as an import does, in a thread of its own; resolves when it is held. */
export async function holdStore(address: StoreAddress, ms: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { hold: address, ms } });
  await once(worker, 'message');
}

const order = workerData as { hold?: StoreAddress; ms: number } | null;
if (order?.hold !== undefined) {
  const database = openDatabase(order.hold);
  inTransaction(database, () => {
    parentPort?.postMessage('held');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.ms);
  });
  database.close();
}
