import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../lib/clock.ts';

/** Refusals within a second that have a line each. */
const LINES_AT_ONCE = 100;

export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/**
 * Logs a line for each refusal. Of a flood, the rest of each second is logged as a number: a line for each of 2,000
 * refusals a second takes the processor from those who are answered, and fills the disk.
 */
export function refusalLog(clock: Clock, logger: () => Logger | null) {
  let lines = 0;
  let others = 0;

  function endSecond(): void {
    if (others > 0) logger()?.warn({ refusals: others }, 'More requests were refused within a second');
    lines = 0;
    others = 0;
  }

  /** `reason`: of an overload. `line` is called only for a refusal with a line of its own. */
  return (reason: string | null, line: () => object): void => {
    if (lines === 0) clock.after(1_000, endSecond);
    if (lines === LINES_AT_ONCE) {
      others += 1;
      return;
    }
    lines += 1;
    if (reason === null) logger()?.info(line());
    else logger()?.warn({ ...line(), reason });
  };
}
