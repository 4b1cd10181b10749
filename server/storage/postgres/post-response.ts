import type { MessagePort } from 'node:worker_threads';
import { errorMessage } from '../../lib/error-message.ts';
import type { SyncFailure, SyncResponse } from './sync-protocol.ts';

/** Posts a response to the thread that waits for it. Not every error can be copied there; its message always can. */
export function postResponse(port: Pick<MessagePort, 'postMessage'>, response: SyncResponse): void {
  try {
    port.postMessage(response);
  } catch (error) {
    port.postMessage(copyable(response, error));
  }
}

function copyable(response: SyncResponse, uncopied: unknown): SyncFailure {
  if (response.kind === 'failed') return { ...response, error: new Error(errorMessage(response.error)) };
  const error = new Error(errorMessage(uncopied));
  return { kind: 'failed', isTransient: false, isOutcomeUnknown: false, code: null, error };
}
