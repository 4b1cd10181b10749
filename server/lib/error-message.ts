/** What an error says, and what caused it, as the end of a sentence without its full stop. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/\.$/, '');
  return error.cause === undefined ? message : `${message}: ${errorMessage(error.cause)}`;
}

/** An error's code, such as EACCES; undefined where it has none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
