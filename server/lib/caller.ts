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
  /**
   * The same in queues that stand in a flood: what it has waited in those before counts. Omitted: `LONGEST_IN_FLOOD_MS` from
   * when it comes to each.
   */
  waitsInFloodUntil?: number | undefined;
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

/** Milliseconds. Whoever is refused in a flood knows it within a second, also after a pass of the event loop. */
export const LONGEST_IN_FLOOD_MS = 850;

/** The server itself: start-up and periodic work. */
export const INTERNAL_CALLER: Caller = {
  network: 'internal',
  signal: null,
  isLocal: true,
  isPatient: true,
};

/** A caller that was held back for what its own network does: a flood is not the cause of that wait. */
export function heldBackFor<C extends Caller>(caller: C, ms: number): C {
  const { waitsInFloodUntil } = caller;
  return waitsInFloodUntil === undefined ? caller : { ...caller, waitsInFloodUntil: waitsInFloodUntil + ms };
}

/** A caller whose work is done already, but for the answer: to refuse it now would waste that, however long it took. */
export function withoutDeadline(caller: Caller): Caller {
  return { ...caller, waitsUntil: undefined, waitsInFloodUntil: undefined };
}

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
