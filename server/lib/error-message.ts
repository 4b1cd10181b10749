/** The message of an error and all its causes on one line, without a final full stop. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message
    .trim()
    .replaceAll(/\s*[\r\n]\s*/g, ' ')
    .replace(/\.$/, '');
  return error.cause === undefined ? message : `${message}: ${errorMessage(error.cause)}`;
}

/** An error and its causes, outermost first. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** An error's code, such as EACCES; undefined if it has none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
