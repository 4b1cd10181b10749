import { type Deadline, NO_DEADLINE } from './deadline.ts';

/** Who a task is for. */
export interface Caller {
  /** One client's requests share a place in every queue, and one allowance. */
  client: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** When work for the caller is abandoned. */
  deadline: Deadline;
}

/** The client of all programs on this machine. */
export const LOCAL_CLIENT = 'local';

/** The server itself: start-up and periodic work. */
export const INTERNAL_CALLER: Caller = {
  client: 'internal',
  signal: new AbortController().signal,
  deadline: NO_DEADLINE,
};

/** The client has disconnected, so there is no response to send. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller has hung up');
  }
}

export function isCallerGone(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'CallerGone') return true;
  }
  return false;
}
