import { ERRORS } from './error-codes.ts';

export const INTERRUPTED = ERRORS.INTERRUPTED.sentence;

/** A worker thread has ended or could not start. Its work may have been done. A retry gets another thread. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export function isThreadEnded(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ThreadEnded) return true;
  }
  return false;
}
