import { workerData } from 'node:worker_threads';
import { yieldToOtherThreads } from '../lib/thread-priority.ts';
import { serveWorker, throwIfCancelled } from '../lib/worker-rpc.ts';
import { sqlitePackageRepository } from '../package-search/sqlite-package-repository.ts';
import type { WideSearchApi } from '../package-search/wide-search.ts';
import { interruptible } from '../storage/interruptible.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

yieldToOtherThreads();
const database = openDatabaseForReading(workerData as StoreAddress);
const repository = sqlitePackageRepository(interruptible(database, throwIfCancelled));

serveWorker<WideSearchApi>(() => repository);
