import type { PriceChangeOutbox } from './price-change-outbox.ts';

/** Settles price changes that their importer left behind. */
export interface AbandonedChanges {
  /**
   * Looks at what waits. Importers settle their own changes; those that have not moved since the last look are of one
   * that was killed or hangs, and are settled here. `look` returns at once: each turn of the event loop settles a few, so
   * that the sign-ups, stops and webhooks of this thread are answered in between.
   */
  look(): void;
  /** Settles no more. */
  stop(): void;
}

/** `failed` is called with what an attempt threw; the next look tries again. */
export function abandonedChanges(
  outbox: Pick<PriceChangeOutbox, 'settleNext' | 'firstWaiting'>,
  failed: (error: unknown) => void,
): AbandonedChanges {
  let seen: string | null = null;
  let turn: NodeJS.Immediate | null = null;

  function settleNext(): void {
    turn = null;
    attempt(() => {
      if (outbox.settleNext()) turn = setImmediate(settleNext);
    });
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      failed(error);
    }
  }

  return {
    look() {
      if (turn !== null) return;
      attempt(() => {
        const waiting = outbox.firstWaiting();
        if (waiting !== null && waiting === seen) settleNext();
        seen = waiting;
      });
    },
    stop() {
      if (turn !== null) clearImmediate(turn);
      turn = null;
    },
  };
}
