import { errorCode } from './error-message.ts';

/** For how long clients are told to stay away while no file can be opened. */
const OUT_OF_FILES_FOR_MS = 2_000;

/** Seconds: no client is told to stay away for longer because of load. */
const MOST_RETRY_AFTER_SECONDS = 30;

/** The message to clients. */
export const OVERLOADED = 'The server is busy at the moment: please try again in a few seconds.';

/** Nothing was done, because the answer would have come too late. A retry may succeed. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** Whole seconds, for `Retry-After`. */
  readonly retryAfter: number;

  constructor(expectedMs: number) {
    // Refusing must stay cheap: the stack of a refusal tells nothing.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(OVERLOADED);
    Error.stackTraceLimit = stackTraceLimit;
    this.retryAfter = Math.min(MOST_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(expectedMs / 1_000)));
  }
}

/** The process, or the machine, has as many files and connections open as it may. */
const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

export const outOfFiles = () => new Overloaded(OUT_OF_FILES_FOR_MS);

/** The Overloaded in an error or its causes; null if there is none. */
export function overloadIn(error: unknown): Overloaded | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Overloaded) return cause;
    if (OUT_OF_FILES.has(errorCode(cause))) return outOfFiles();
  }
  return null;
}
