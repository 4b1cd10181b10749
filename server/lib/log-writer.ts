import type { Clock } from './clock.ts';

/** Bytes of lines that wait for a disk with room, or for whoever reads the log. */
const MOST_WAITING = 1024 * 1024;

/** Bytes that are written at once. */
const MOST_AT_ONCE = 64 * 1024;

/** Milliseconds between two tries while nothing can be written. */
const RETRY_EVERY_MS = 100;

/** The log's output: a file, a pipe or a terminal. */
export interface LogOutput {
  /** `done` gets an error, or how many of the bytes were written. */
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  /** The same at once, when the process ends. Returns how many were written. */
  writeNow(bytes: Buffer): number;
}

export interface LogWriter {
  write(line: string): void;
  /** Resolves with true when all lines are written, and with false after `ms`. */
  written(ms: number): Promise<boolean>;
  /** Writes what waits while the process ends, unless that would have to wait. */
  writeLast(): void;
  /** Whether a write has been begun and not answered: a thread that hangs in it holds up the end of the process. */
  readonly isWriting: boolean;
}

interface LogWriterOptions {
  output: LogOutput;
  clock: Clock;
  /** A line that says how many are missing in its place. */
  gapLine: (missing: number) => string;
  /** Called for each line that is dropped. */
  noteDropped: () => void;
}

/**
 * Writes lines in order, and neither blocks nor fails: a full disk, a reader that hangs or one that has gone must not stop
 * the server. Lines wait meanwhile. Beyond a megabyte they are dropped, until all that waits has been written and a line
 * in their place has said how many there were.
 */
export function logWriter({ output, clock, gapLine, noteDropped }: LogWriterOptions): LogWriter {
  let lines: string[] = [];
  /** What is being written. */
  let chunk: Buffer = Buffer.alloc(0);
  let waitingBytes = 0;
  let missing = 0;
  let isWriting = false;
  let isFailing = false;
  let whenWritten: (() => void)[] = [];

  function add(line: string): void {
    lines.push(line);
    waitingBytes += Buffer.byteLength(line);
  }

  function writeNext(): void {
    if (chunk.length === 0) chunk = Buffer.from(takeLines());
    if (chunk.length === 0) {
      for (const resolve of whenWritten) resolve();
      whenWritten = [];
      return;
    }
    isWriting = true;
    output.write(chunk, (error, count) => {
      isWriting = false;
      isFailing = error !== null;
      if (error === null) wrote(count);
      // Also of a pipe that is closed: one with a name may be opened again.
      if (error === null && count > 0) writeNext();
      else clock.after(RETRY_EVERY_MS, writeNext);
    });
  }

  /** As many lines as are written at once. */
  function takeLines(): string {
    let bytes = 0;
    let count = 0;
    for (; count < lines.length && bytes < MOST_AT_ONCE; count += 1)
      bytes += Buffer.byteLength(lines[count] ?? '');
    const taken = lines.slice(0, count).join('');
    lines = lines.slice(count);
    return taken;
  }

  function wrote(count: number): void {
    chunk = chunk.subarray(count);
    waitingBytes -= count;
    if (waitingBytes > 0 || missing === 0) return;
    add(gapLine(missing));
    missing = 0;
  }

  return {
    write(line) {
      if (missing > 0 || waitingBytes + Buffer.byteLength(line) > MOST_WAITING) {
        missing += 1;
        noteDropped();
        return;
      }
      const isIdle = waitingBytes === 0;
      add(line);
      if (isIdle) writeNext();
    },
    written(ms) {
      if (waitingBytes === 0) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const stopTimer = clock.after(ms, () => resolve(false));
      whenWritten.push(() => {
        stopTimer();
        resolve(true);
      });
      return promise;
    },
    writeLast() {
      if (isFailing || isWriting) return;
      try {
        output.writeNow(Buffer.concat([chunk, Buffer.from(lines.join(''))]));
      } catch {
        // Nobody is left to tell.
      }
    },
    get isWriting() {
      return isWriting;
    },
  };
}
