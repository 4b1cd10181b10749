/** PostgreSQL's code of an inserted key that is already there. */
const UNIQUE_VIOLATION = '23505';

/** When rows are copied, a coordinator of Citus passes on a worker's message without its code. */
const DUPLICATE_KEY = /^duplicate key value violates unique constraint /;

/** Whether PostgreSQL says that a statement inserted a key that is already there. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === UNIQUE_VIOLATION) || DUPLICATE_KEY.test(error.message);
}

/** Whether that is why a statement of a store failed. */
export function hasDuplicateKey(error: unknown): boolean {
  return error instanceof Error && isDuplicateKey(error.cause);
}
