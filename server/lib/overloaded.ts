import { ERRORS } from './error-codes.ts';
import { causesOf } from './error-message.ts';

/** The longest `Retry-After` of an overload response. */
const MAX_RETRY_AFTER_SECONDS = 30;

/** Nothing was done, because the response would have come too late. A retry may succeed. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** For `Retry-After`, in whole seconds. */
  readonly retryAfter: number;

  constructor(expectedMs: number) {
    super(ERRORS.OVERLOADED.sentence);
    this.retryAfter = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(expectedMs / 1_000)));
  }
}

/** Finds an `Overloaded` in an error or its causes; null if there is none. */
export function overloadIn(error: unknown): Overloaded | null {
  return causesOf(error).find((cause) => cause instanceof Overloaded) ?? null;
}
