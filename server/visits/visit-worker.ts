import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { openDatabase } from '../storage/open-database.ts';
import { visitWriter } from './visit-table.ts';

answerQuestions(visitWriter(openDatabase(String(workerData))));
