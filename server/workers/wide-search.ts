import { workerData } from 'node:worker_threads';
import { serveWorker } from '../lib/worker-rpc.ts';
import { sqlitePackageRepository } from '../package-search/sqlite-package-repository.ts';
import type { WideSearchApi } from '../package-search/wide-search.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const repository = sqlitePackageRepository(openDatabaseForReading(workerData as StoreAddress));

serveWorker<WideSearchApi>(() => repository);
