import { parentPort, workerData } from 'node:worker_threads';
import { openDatabaseForReading } from '../storage/open-database.ts';
import type { PackageQuestion } from './package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import type { WideWindowAnswer } from './wide-windows-in-worker.ts';

const repository = sqlitePackageRepository(openDatabaseForReading(String(workerData)));

parentPort?.on('message', ({ id, question }: { id: number; question: PackageQuestion }) => {
  const tell = (answer: WideWindowAnswer) => parentPort?.postMessage(answer);
  repository.search(question).then(
    (found) => tell({ id, found }),
    (error: unknown) => tell({ id, failure: String(error) }),
  );
});
