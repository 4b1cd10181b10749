import { parseDestinations } from '../../domain/destination.ts';
import { indexDestinations } from '../../domain/destination-index.ts';
import {
  type PackedDestinationIndex,
  packDestinationIndex,
} from '../../domain/destination-index-transfer.ts';

/** The worker's reply to a CSV text. */
export type IndexedReply =
  | { kind: 'indexed'; index: PackedDestinationIndex }
  | { kind: 'failed'; reason: string };

// In a worker, so that indexing a long list does not block input.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage(reply(data));
});

function reply(csvText: string): IndexedReply {
  try {
    return { kind: 'indexed', index: packDestinationIndex(indexDestinations(parseDestinations(csvText))) };
  } catch (error) {
    return { kind: 'failed', reason: String(error) };
  }
}
