import { ERRORS } from './error-codes.ts';

/** The longest Retry-After because of load. */
const MAX_RETRY_AFTER_SECONDS = 30;

export const OVERLOADED = ERRORS.OVERLOADED.sentence;

/** Nothing was done, because the response would have been too late. A retry may succeed. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** Whole seconds, for `Retry-After`. */
  readonly retryAfter: number;

  constructor(expectedMs: number) {
    super(OVERLOADED);
    this.retryAfter = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(expectedMs / 1_000)));
  }
}

/** The Overloaded in an error or its causes, or null. */
export function overloadIn(error: unknown): Overloaded | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Overloaded) return cause;
  }
  return null;
}
