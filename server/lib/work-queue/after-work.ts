import { nextTick } from 'node:process';

/** Runs a task when all promises that are settled now have been followed. */
export function afterWork(task: () => void): void {
  // A tick that is queued by a microtask comes after all microtasks; any other tick comes before them.
  queueMicrotask(() => nextTick(task));
}
