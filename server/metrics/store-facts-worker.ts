import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { openDatabaseForReading } from '../storage/open-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { readStoreFacts } from './read-store-facts.ts';

const store = workerData as StoreAddress;
const database = openDatabaseForReading(store);

answerQuestions(() => readStoreFacts(database, store));
