import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { openDatabase } from '../storage/open-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { visitWriter } from './visit-table.ts';

answerQuestions(visitWriter(openDatabase(workerData as StoreAddress)));
