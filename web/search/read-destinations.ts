import { parseDestinations } from '../../domain/destination.ts';
import { type DestinationIndex, indexDestinations } from '../../domain/destination-index.ts';
import { unpackDestinationIndex } from '../../domain/destination-index-transfer.ts';
import { moduleWorker } from '../ui/trusted-script.ts';
import type { IndexedReply } from './index-destinations.worker.ts';
import workerUrl from './index-destinations.worker.ts?worker&url';

/** In characters, about 2,000 places. Starting a worker takes longer than indexing a shorter list. */
const WORKER_THRESHOLD = 80_000;

/** Covers a worker script that does not load. */
const WORKER_TIMEOUT_MS = 20_000;

/** Parses and indexes the location list without blocking input. Rejects if it is not a location list. */
export async function readDestinations(csvText: string): Promise<DestinationIndex> {
  if (csvText.length < WORKER_THRESHOLD) return indexDestinations(parseDestinations(csvText));
  const worker = moduleWorker(workerUrl);
  try {
    const reply = await indexInWorker(worker, csvText);
    if (reply.kind === 'failed') throw new Error(reply.reason);
    return unpackDestinationIndex(reply.index);
  } finally {
    worker.terminate();
  }
}

function indexInWorker(worker: Worker, csvText: string): Promise<IndexedReply> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<IndexedReply>) => resolve(data));
    worker.addEventListener('error', (event) =>
      reject(new Error(`The list's worker failed: ${event.message}`)),
    );
    setTimeout(() => reject(new Error("The list's worker did not respond")), WORKER_TIMEOUT_MS);
    worker.postMessage(csvText);
  });
}
