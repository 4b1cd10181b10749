/** Levels as the log of requests has them. */
const LEVELS = { info: 30, warn: 40, error: 50 };

/** Writes a line of the log, in the shape of a request's, from where there is no request: a thread, or the boot. */
export function logLine(level: keyof typeof LEVELS, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level: LEVELS[level], time: Date.now(), msg })}\n`);
}
