import { ERRORS } from './error-codes.ts';

/** The message to clients. */
export const INTERRUPTED = ERRORS.INTERRUPTED.sentence;

/**
 * A thread has ended at its work, or cannot be started. What it was working on may be done or not. A retry finds another
 * thread.
 */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** Whether an error or one of its causes is ThreadEnded. */
export function isThreadEnded(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ThreadEnded) return true;
  }
  return false;
}
