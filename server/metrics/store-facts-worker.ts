import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { openDatabaseForReading } from '../storage/open-database.ts';
import { readStoreFacts } from './read-store-facts.ts';

const dataDir = String(workerData);
const database = openDatabaseForReading(dataDir);

answerQuestions(() => readStoreFacts(database, dataDir));
