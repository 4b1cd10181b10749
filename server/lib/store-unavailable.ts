/** The message to clients. */
export const STORE_UNAVAILABLE =
  'The store cannot be reached at the moment: please try again in a few seconds.';

/** The store is temporarily unavailable; nothing was changed. A retry may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(options?: ErrorOptions) {
    super(STORE_UNAVAILABLE, options);
  }
}

/** Whether an error or one of its causes is StoreUnavailable. */
export function isStoreUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'StoreUnavailable') return true;
  }
  return false;
}
