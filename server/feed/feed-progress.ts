import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { ImportPhase } from './run-import.ts';

/** Between two lines of output that is not a terminal. */
const LINE_EVERY_MS = 5_000;
/** Between two updates of the bar. */
const DRAW_EVERY_MS = 100;

/** A terminal, a pipe or a file. */
export type ProgressOut = Writable & { isTTY?: boolean };

export interface FeedProgress {
  update(phase: ImportPhase, done: number, of: number | null, rows: number): void;
  stop(): void;
}

/** Shows the rate and the time left: as a bar on a terminal, otherwise as lines. */
export function feedProgress(out: ProgressOut, now: () => number): FeedProgress {
  const show = out.isTTY === true ? bar(out) : lines(out);
  let phase: ImportPhase | null = null;
  let begun = now();
  let updatedAt = begun;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    update(next, done, of, rows) {
      const at = now();
      const isNew = next !== phase;
      // A phase may report only after its first step, so it is timed from the previous report.
      if (isNew) begun = updatedAt;
      updatedAt = at;
      phase = next;
      const isDone = of !== null && done >= of;
      if (!isNew && !isDone && at - shownAt < (out.isTTY === true ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
      shownAt = at;
      const seconds = Math.max(0.001, (at - begun) / 1000);
      const left = of === null || done === 0 ? null : (seconds / done) * Math.max(0, of - done);
      show.draw({ phase: next, done, of, rows, rate: Math.round(rows / seconds), left });
    },
    stop: show.stop,
  };
}

interface Drawn {
  phase: ImportPhase;
  done: number;
  of: number | null;
  rows: number;
  rate: number;
  left: number | null;
}

function bar(out: ProgressOut) {
  let drawn: SingleBar | null = null;
  let phase = '';
  const stop = () => drawn?.stop();
  return {
    draw(state: Drawn): void {
      const total = state.of ?? Math.max(1, state.done);
      const words = {
        phase: state.phase.padEnd(9),
        rows: state.rows,
        rate: state.rate,
        left: timeLeft(state.left),
      };
      if (state.phase !== phase) {
        stop();
        drawn = new SingleBar({
          stream: out,
          format: '{phase} {bar} {percentage}% {rows} rows, {rate}/s, {left}',
        });
        drawn.start(total, state.done, words);
      }
      phase = state.phase;
      drawn?.setTotal(total);
      drawn?.update(state.done, words);
    },
    stop,
  };
}

function lines(out: ProgressOut) {
  return {
    draw({ phase, done, of, rows, rate, left }: Drawn): void {
      const share = of === null || of === 0 ? '' : ` ${Math.floor((done / of) * 100)}%`;
      const speed = rows === 0 ? '' : `, ${rows} rows, ${rate} per second`;
      out.write(`${phase}${share}${speed}${left === null ? '' : `, ${timeLeft(left)}`}\n`);
    },
    stop(): void {},
  };
}

function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s left` : `${Math.ceil(whole / 60)} min left`;
}
