import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../lib/worker-rpc.ts';
import type { PackageQuery } from '../package-search/package-repository.ts';
import { sqlitePackageRepository } from '../package-search/sqlite-package-repository.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const repository = sqlitePackageRepository(openDatabaseForReading(workerData as StoreAddress));

answerQuestions((queries: readonly PackageQuery[]) => repository.searchFor(queries));
