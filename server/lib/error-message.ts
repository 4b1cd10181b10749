/** An error's message and those of its causes, without a trailing full stop. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/\.$/, '');
  return error.cause === undefined ? message : `${message}: ${errorMessage(error.cause)}`;
}

/** An error's code, such as EACCES, if it has one. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
