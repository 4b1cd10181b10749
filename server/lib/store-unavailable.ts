import { ERRORS } from './error-codes.ts';
import { causesOf } from './error-message.ts';

export const STORE_UNAVAILABLE = ERRORS.STORE_UNAVAILABLE.sentence;

/** The store is temporarily unavailable, and nothing was changed. A retry may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(options?: ErrorOptions) {
    super(STORE_UNAVAILABLE, options);
  }
}

/**
 * The connection was lost during a commit, so it is unknown whether the transaction is in the store. Its
 * cause is a StoreUnavailable.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(options: ErrorOptions) {
    super('The connection to the store was lost during a commit', options);
  }
}

export function isStoreUnavailable(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === 'StoreUnavailable');
}
