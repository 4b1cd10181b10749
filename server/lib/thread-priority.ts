import { getPriority, setPriority } from 'node:os';

/** The nice value of threads whose work can wait. */
const NICE = 10;

/**
 * Lets the process's other threads run first where processors are short. On Linux a priority belongs to the calling
 * thread; elsewhere it belongs to the whole process, so it is not changed. A process that was started with a higher nice
 * value keeps it: only an administrator may lower one.
 */
export function yieldToOtherThreads(): void {
  if (process.platform !== 'linux' || getPriority() >= NICE) return;
  setPriority(NICE);
}
