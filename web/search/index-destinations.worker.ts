import { parseDestinations } from '../../domain/destination.ts';
import { indexDestinations } from '../../domain/destination-index.ts';
import { packDestinationIndex } from '../../domain/destination-index-transfer.ts';
import type { IndexedReply } from './read-destinations.ts';

// Runs in a worker, so that indexing a long list does not block input.
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
