import { parseDestinations } from '../../domain/destination.ts';
import { type DestinationIndex, indexDestinations } from '../../domain/destination-index.ts';
import {
  type PackedDestinationIndex,
  unpackDestinationIndex,
} from '../../domain/destination-index-transfer.ts';

/** What the worker answers to a CSV text. */
export type IndexedReply =
  | { kind: 'indexed'; index: PackedDestinationIndex }
  | { kind: 'failed'; reason: string };

/** Below this many characters (some 2,000 places) a list is read sooner than a worker starts. */
const WORKER_THRESHOLD = 80_000;

/** A worker whose script has not come by then is not going to answer, in milliseconds. */
const WORKER_TIMEOUT_MS = 20_000;

/** Reads the location list off the input path. Rejects with an Error where it is not such a list. */
export async function readDestinations(csvText: string): Promise<DestinationIndex> {
  if (csvText.length < WORKER_THRESHOLD) return indexDestinations(parseDestinations(csvText));
  const worker = new Worker(new URL('./index-destinations.worker.ts', import.meta.url), { type: 'module' });
  try {
    const reply = await askOnce(worker, csvText);
    if (reply.kind === 'failed') throw new Error(reply.reason);
    return unpackDestinationIndex(reply.index);
  } finally {
    worker.terminate();
  }
}

function askOnce(worker: Worker, csvText: string): Promise<IndexedReply> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<IndexedReply>) => resolve(data));
    worker.addEventListener('error', (event) =>
      reject(new Error(`The list's worker failed: ${event.message}`)),
    );
    setTimeout(() => reject(new Error("The list's worker did not answer")), WORKER_TIMEOUT_MS);
    worker.postMessage(csvText);
  });
}
