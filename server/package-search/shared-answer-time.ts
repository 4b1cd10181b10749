import { CallerGone } from '../lib/caller.ts';
import type { AnswerTime } from '../lib/work-queue/turns.ts';

/**
 * The time in which the fields of one request are made into its answer: after the last of them has been found, one right
 * after the other, each in a piece of its own. If each had waited for a time of its own, the objects of the first would be
 * kept until the last one's, and to move kept objects takes the thread longer than to make them.
 */
export interface SharedAnswerTime {
  /**
   * Searches for a field, and makes it. The first field sets the time aside, or throws what `reserve` throws. `answerTurn`
   * resolves when all fields have been found and it is this one's turn; it rejects with `Overloaded` or `CallerGone`.
   */
  during<T>(field: (answerTurn: () => Promise<void>) => Promise<T>): Promise<T>;
  /** Gives the time back, if it was not taken: nobody reads the answer. */
  release(): void;
}

/** Every field of the request must be asked for before the first one is found. */
export function sharedAnswerTime(reserve: () => AnswerTime): SharedAnswerTime {
  const waiting: PromiseWithResolvers<void>[] = [];
  let time: AnswerTime | null = null;
  /** Fields that are searched for, or made. */
  let atWork = 0;
  let isReleased = false;

  /** A field has been found, or made. */
  function ended(): void {
    atWork -= 1;
    if (atWork > 0 || time === null) return;
    const next = waiting.shift();
    if (next === undefined) return;
    atWork += 1;
    next.resolve(isReleased ? Promise.reject(new CallerGone()) : time.take());
  }

  return {
    async during(field) {
      time ??= reserve();
      atWork += 1;
      try {
        return await field(() => {
          const turn = Promise.withResolvers<void>();
          waiting.push(turn);
          ended();
          return turn.promise;
        });
      } finally {
        ended();
      }
    },
    release() {
      isReleased = true;
      time?.release();
    },
  };
}
