import { type Deadline, NO_DEADLINE } from './deadline.ts';
import { causesOf } from './error-message.ts';

/** The client that a task is for. */
export interface Caller {
  /** Identifies the client. Its requests share a place in each queue, and one rate limit. */
  client: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** When work for this caller is abandoned. */
  deadline: Deadline;
}

/** All programs on this machine count as one client. */
export const LOCAL_CLIENT = 'local';

/** The server itself, for start-up and periodic work. */
export const INTERNAL_CALLER: Caller = {
  client: 'internal',
  signal: new AbortController().signal,
  deadline: NO_DEADLINE,
};

/** The client has disconnected, so no response is needed. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The client has disconnected');
  }
}

export function isCallerGone(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === 'CallerGone');
}
