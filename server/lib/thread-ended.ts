import { causesOf } from './error-message.ts';

/** A worker thread has ended or could not start. Its work may have been done. A retry gets another thread. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export function isThreadEnded(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof ThreadEnded);
}
