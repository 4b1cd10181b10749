import { workerData } from 'node:worker_threads';
import { serveWorker } from '../lib/worker-rpc.ts';
import { readStoreFacts } from '../metrics/read-store-facts.ts';
import type { StoreFactsApi } from '../metrics/store-facts.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const store = workerData as StoreAddress;
const database = openDatabaseForReading(store);

serveWorker<StoreFactsApi>(() => ({ read: () => readStoreFacts(database, store) }));
