import { write, writeSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { pino } from 'pino';
import { systemClock } from './clock.ts';
import { type LogOutput, type LogWriter, logWriter } from './log-writer.ts';

const WARNING = 40;

/** The lines that were dropped, counted in memory that all threads of the process share. */
const DROPPED = 'skylark log lines dropped';
const dropped = sharedCounter();

/** Of all threads: `process.stdout` of a thread passes on through the main one, which may be busy. */
const STANDARD_OUTPUT = 1;

const standardOutput: LogOutput = {
  write: (bytes, done) => write(STANDARD_OUTPUT, bytes, done),
  writeNow: (bytes) => writeSync(STANDARD_OUTPUT, bytes),
};

/** The log's lines on standard output. */
export const logLines: LogWriter = logWriter({
  output: standardOutput,
  clock: systemClock,
  gapLine: (lines) =>
    `${JSON.stringify({ level: WARNING, time: Date.now(), lines, msg: 'The log could not be written: lines are missing here' })}\n`,
  noteDropped: () => Atomics.add(dropped, 0, 1n),
});
process.on('exit', () => logLines.writeLast());

/** Logs what belongs to no request, such as a worker's errors, in the shape of Fastify's lines. */
export const log = pino({ base: null }, logLines);

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
