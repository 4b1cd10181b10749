import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../lib/worker-rpc.ts';
import { readStoreFacts } from '../metrics/read-store-facts.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const store = workerData as StoreAddress;
const database = openDatabaseForReading(store);

answerQuestions(() => readStoreFacts(database, store));
