import type { Writable } from 'node:stream';

/** The time between two lines. */
const LINE_EVERY_MS = 5_000;

/** Prints how far an import is: a line every five seconds and for each phase. */
export function feedProgress(out: Writable, now: () => number) {
  let shown = '';
  let shownAt = 0;
  return (phase: string, detail: string): void => {
    if (phase === shown && now() - shownAt < LINE_EVERY_MS) return;
    shown = phase;
    shownAt = now();
    out.write(`${phase}${detail === '' ? '' : `: ${detail}`}\n`);
  };
}
