import { workerData } from 'node:worker_threads';
import { answerQuestions, refuseTheLate } from '../lib/worker-rpc.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { SiteVisit } from '../visits/record-visits.ts';
import { visitWriter } from '../visits/visit-table.ts';

let write: ReturnType<typeof visitWriter> | null = null;

// Opened by the first visit: a store that is not there now may be there for the next.
answerQuestions((visit: SiteVisit, waited) => {
  refuseTheLate(waited);
  write ??= visitWriter(openDatabase(workerData as StoreAddress, { interactive: true }));
  return write(visit);
});
