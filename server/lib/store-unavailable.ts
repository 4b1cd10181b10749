/** What whoever asked is told. */
export const STORE_UNAVAILABLE =
  'The store cannot be reached at the moment: please try again in a few seconds.';

/** The store cannot do it now and may in a moment: nothing of it was done. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(options?: ErrorOptions) {
    super(STORE_UNAVAILABLE, options);
  }
}

/** Whether that is what stands behind an error. */
export function isStoreUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'StoreUnavailable') return true;
  }
  return false;
}
