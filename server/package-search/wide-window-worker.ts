import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { openDatabaseForReading } from '../storage/open-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PackageQuestion } from './package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';

const repository = sqlitePackageRepository(openDatabaseForReading(workerData as StoreAddress));

answerQuestions((questions: readonly PackageQuestion[]) => repository.findFor(questions));
