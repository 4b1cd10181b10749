import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { type DestinationStream, pino } from 'pino';
import { readableLine } from './readable-line.ts';

/** How many bytes of lines may wait while the disk is full or the reader slow. Further lines are dropped. */
const MAX_WAITING = 1024 * 1024;

/** Lines of the main thread are written together: at this length, and at this interval. */
const MIN_WRITTEN = 4_096;
const FLUSH_MS = 250;

/**
 * The log of all threads, on standard output. Threads write to it directly, because their `process.stdout`
 * goes through the main thread. Never blocks or fails.
 */
const output = pino.destination({
  dest: 1,
  sync: false,
  minLength: 1,
  maxLength: MAX_WAITING,
});
// Ignored, because the next lines try again.
output.on('error', () => {});
output.on('drop', () => output.flush());

let waiting = '';

function writeWaiting(): void {
  const lines = waiting;
  waiting = '';
  if (lines !== '') output.write(lines);
}

const logLines: DestinationStream = {
  write(line) {
    waiting += line;
    // Other threads may end without notice, and log little.
    if (waiting.length >= MIN_WRITTEN || !isMainThread) writeWaiting();
  },
};
setInterval(writeWaiting, FLUSH_MS).unref();

// Runs before pino's own listener, which would wait for a full disk or a slow reader.
process.prependListener('exit', () => {
  output.destroy();
  try {
    writeSync(1, waiting);
  } catch {
    // The disk is full, or the reader is slow or gone.
  }
});

/** Receives JSON lines. Writes them as they are, or as text to a terminal. */
export const logStream: DestinationStream = isatty(1)
  ? { write: (line) => logLines.write(readableLine(line)) }
  : logLines;

/** Logs lines that belong to no request, in the format of Fastify's lines. */
export const log = pino({ base: null }, logStream);

/** Resolves once all lines are written, or cannot be written. */
export function writtenLog(): Promise<void> {
  writeWaiting();
  return new Promise((resolve) => output.flush(() => resolve()));
}
