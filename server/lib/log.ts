import { isatty } from 'node:tty';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { type DestinationStream, pino } from 'pino';
import { readableLine } from './readable-line.ts';

/** Bytes of lines that may wait for a full disk or a slow reader. Further lines are dropped. */
const MAX_WAITING = 1024 * 1024;

/** The number of dropped lines, shared by all threads. */
const DROPPED = 'skylark log lines dropped';
const dropped = sharedCounter();

/**
 * The log of all threads on standard output. Threads write directly, because `process.stdout` there goes
 * through the main thread. Never blocks or fails.
 */
const logLines = pino.destination({
  dest: 1,
  sync: false,
  minLength: 1,
  maxLength: MAX_WAITING,
});
// The next line retries a failed write.
logLines.on('error', () => {});
logLines.on('drop', () => {
  Atomics.add(dropped, 0, 1n);
  logLines.flush();
});
// Runs before pino's own listener, which would wait for a full disk or a slow reader.
process.prependListener('exit', () => logLines.destroy());

/** Receives JSON lines. Writes them as they are, or as text to a terminal. */
export const logStream: DestinationStream = isatty(1)
  ? { write: (line) => void logLines.write(readableLine(line)) }
  : logLines;

/** Logs what belongs to no request, in the shape of Fastify's lines. */
export const log = pino({ base: null }, logStream);

/** Resolves when all lines are written, or cannot be. */
export function writtenLog(): Promise<void> {
  return new Promise((resolve) => logLines.flush(() => resolve()));
}

/** The lines of all threads that were dropped since the start. */
export function droppedLogLines(): number {
  return Number(Atomics.load(dropped, 0));
}

/** Threads inherit the environment data of the thread that starts them. */
function sharedCounter(): BigInt64Array {
  const known = getEnvironmentData(DROPPED);
  const memory =
    known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(DROPPED, memory);
  return new BigInt64Array(memory);
}
