import { workerData } from 'node:worker_threads';
import { serveWorker, throwIfCancelled } from '../lib/worker-rpc.ts';
import { sqlitePackageRepository } from '../package-search/sqlite-package-repository.ts';
import type { WideSearchApi } from '../package-search/wide-search.ts';
import { interruptible } from '../storage/interruptible.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const database = openDatabaseForReading(workerData as StoreAddress);
const repository = sqlitePackageRepository(interruptible(database, throwIfCancelled));

serveWorker<WideSearchApi>(() => repository);
