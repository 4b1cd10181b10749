import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { pino } from 'pino';

/** Bytes of lines that wait for a disk with room, or for a reader that hangs. Further lines are dropped. */
const MAX_WAITING = 1024 * 1024;

/** The number of dropped lines, in memory that all threads of the process share. */
const DROPPED = 'skylark log lines dropped';
const dropped = sharedCounter();

/**
 * The log's lines on standard output, of all threads: `process.stdout` of a thread passes on through the main one, which
 * may be busy. Writing neither blocks nor fails.
 */
export const logLines = pino.destination({
  dest: 1,
  sync: false,
  minLength: 1,
  maxLength: MAX_WAITING,
});
// A line that cannot be written is tried again with the next one.
logLines.on('error', () => {});
logLines.on('drop', () => {
  Atomics.add(dropped, 0, 1n);
  logLines.flush();
});
// Before pino's own listener, which would wait for a full disk or a reader that hangs.
process.prependListener('exit', () => logLines.destroy());

/** Logs what belongs to no request, such as a worker's errors, in the shape of Fastify's lines. */
export const log = pino({ base: null }, logLines);

/** Resolves when all lines are written, or cannot be. */
export function writtenLog(): Promise<void> {
  return new Promise((resolve) => logLines.flush(() => resolve()));
}

/** The lines of all threads that were dropped since the start. */
export function droppedLogLines(): number {
  return Number(Atomics.load(dropped, 0));
}

/** Threads get the environment data of the thread that starts them. */
function sharedCounter(): BigInt64Array {
  const known = getEnvironmentData(DROPPED);
  const memory =
    known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(DROPPED, memory);
  return new BigInt64Array(memory);
}
