import type { Writable } from 'node:stream';
import type { ImportPhase } from './run-import.ts';

/** The time between two lines. */
const LINE_EVERY_MS = 5_000;

/** Prints how far an import is, its rate and the time left: a line every five seconds and for each phase. */
export function feedProgress(out: Writable, now: () => number) {
  let phase: ImportPhase | null = null;
  let begun = now();
  let updatedAt = begun;
  let shownAt = Number.NEGATIVE_INFINITY;
  return (next: ImportPhase, done: number, of: number | null, rows: number): void => {
    const at = now();
    const isNew = next !== phase;
    // A phase may report only after its first step, so it is timed from the previous report.
    if (isNew) begun = updatedAt;
    updatedAt = at;
    phase = next;
    const isDone = of !== null && done >= of;
    if (!isNew && !isDone && at - shownAt < LINE_EVERY_MS) return;
    shownAt = at;
    const seconds = Math.max(0.001, (at - begun) / 1000);
    const share = of === null || of === 0 ? '' : ` ${Math.floor((done / of) * 100)}%`;
    const speed = rows === 0 ? '' : `, ${rows} rows, ${Math.round(rows / seconds)} per second`;
    const left = of === null || done === 0 ? null : (seconds / done) * Math.max(0, of - done);
    out.write(`${next}${share}${speed}${left === null ? '' : `, ${timeLeft(left)}`}\n`);
  };
}

function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s left` : `${Math.ceil(whole / 60)} min left`;
}
