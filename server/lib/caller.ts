/** Who waits for an answer. */
export interface Caller {
  /** Callers of one network share one place in every queue: see `networkOf`. */
  network: string;
  /** Aborted when the caller has hung up. Null: it never does. */
  signal: AbortSignal | null;
  /** A program on this machine, which is never held back for others. */
  isLocal?: boolean;
  /**
   * When it has waited long enough in all queues together, in milliseconds of the process's monotonic clock. Omitted: each
   * queue has a limit of its own only.
   */
  waitsUntil?: number | undefined;
  /** The turns that its network has in a queue for each turn of another one. Omitted: 1. */
  weight?: number;
  /**
   * Called when work for it has ended, or is given up before it begins, with the milliseconds that a processor worked on it.
   * Nobody may be there any more to read what it has found.
   */
  worked?: ((ms: number) => void) | undefined;
  /** It may wait as long in a flood as at other times. */
  isPatient?: boolean;
}

/** The server itself: start-up and periodic work. */
export const INTERNAL_CALLER: Caller = {
  network: 'internal',
  signal: null,
  isLocal: true,
  isPatient: true,
};

/** The caller has hung up, so nobody reads the answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller has hung up');
  }
}

/** Whether an error or one of its causes is CallerGone. */
export function isCallerGone(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'CallerGone') return true;
  }
  return false;
}
