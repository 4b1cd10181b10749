import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { OfferRow } from '../../inventory/inventory.ts';
import {
  allocateRecords,
  compareRecords,
  mostWords,
  type RecordMemory,
  readRecord,
  recordWords,
  writeRecord,
} from './offer-records.ts';

/** In bytes. A run that is sorted in memory; fewer, longer runs are merged faster. */
const RUN_BYTES = 16 * 1024 * 1024;
/**
 * All runs together are read into this much memory, each into no less than the longest record takes. It replaces that of
 * the last run.
 */
const MERGE_BYTES = 16 * 1024 * 1024;
const LEAST_READ_BYTES = 16 * 1024;
/** What is read or written at a time. */
const BLOCK_BYTES = 256 * 1024;

export interface StagedRow {
  row: OfferRow;
  line: number;
}

/** Rows in a file: written once, then read. */
export interface RecordFile {
  add(row: OfferRow, line: number): void;
  rows(): Generator<StagedRow>;
  close(): void;
}

/** Rows are read in the order in which they were added. */
export function recordFile(path: string): RecordFile {
  const file = openSync(path, 'w+', 0o600);
  const memory = allocateRecords(BLOCK_BYTES);
  let used = 0;
  let written = 0;

  function flush(): void {
    written += writeWords(file, memory, used);
    used = 0;
  }

  return {
    add(row, line) {
      if (used + mostWords(row) > memory.words.length) flush();
      used = writeRecord(memory, used, row, line);
    },
    *rows() {
      flush();
      const reader = recordReader(file, 0, written, BLOCK_BYTES);
      while (reader.next()) yield readRecord(reader.memory, reader.at());
    },
    close: () => closeSync(file),
  };
}

/**
 * Rows are read by key, price and line: an external merge sort. Runs are sorted in memory, written one after another,
 * and merged while they are read.
 */
export function sortedRecordFile(path: string, runBytes: number = RUN_BYTES): RecordFile {
  const file = openSync(path, 'w+', 0o600);
  let memory: RecordMemory | null = null;
  const starts: number[] = [];
  /** The ends of the runs in the file, in bytes. */
  const ends: number[] = [];
  let used = 0;

  function sortRun(run: RecordMemory): Float64Array {
    return new Float64Array(starts).sort((one, other) => compareRecords(run, one, run, other));
  }

  /** Through a small block: a second run in memory would be as large as the first. */
  function writeRun(run: RecordMemory): void {
    const block = allocateRecords(BLOCK_BYTES);
    let written = ends.at(-1) ?? 0;
    let at = 0;
    for (const start of sortRun(run)) {
      const length = recordWords(run, start, used) ?? 0;
      if (at + length > block.words.length) {
        written += writeWords(file, block, at);
        at = 0;
      }
      block.words.set(run.words.subarray(start, start + length), at);
      at += length;
    }
    ends.push(written + writeWords(file, block, at));
    used = 0;
    starts.length = 0;
  }

  return {
    add(row, line) {
      memory ??= allocateRecords(runBytes);
      if (used + mostWords(row) > memory.words.length) writeRun(memory);
      starts.push(used);
      used = writeRecord(memory, used, row, line);
    },
    *rows() {
      if (ends.length === 0) {
        const run = memory;
        if (run !== null) for (const start of sortRun(run)) yield readRecord(run, start);
        return;
      }
      if (memory !== null) writeRun(memory);
      memory = null;
      const bytes = Math.max(LEAST_READ_BYTES, Math.floor(MERGE_BYTES / ends.length / 4) * 4);
      yield* merge(ends.map((end, run) => recordReader(file, ends[run - 1] ?? 0, end, bytes)));
    },
    close: () => closeSync(file),
  };
}

/** Reads records one by one; `at` is the position of the current one in `memory`. */
interface RecordReader {
  memory: RecordMemory;
  at(): number;
  next(): boolean;
}

function recordReader(file: number, from: number, to: number, bytes: number): RecordReader {
  const memory = allocateRecords(bytes);
  let position = from;
  let at = 0;
  let length = 0;
  let end = 0;

  function refill(): void {
    memory.words.copyWithin(0, at, end);
    end -= at;
    at = 0;
    const wanted = Math.min(memory.bytes.length - end * 4, to - position);
    let read = 0;
    while (read < wanted) {
      const more = readSync(file, memory.bytes, end * 4 + read, wanted - read, position + read);
      if (more === 0) throw new Error('The staging file is shorter than what was written to it');
      read += more;
    }
    position += read;
    end += read / 4;
  }

  return {
    memory,
    at: () => at,
    next() {
      at += length;
      let found = recordWords(memory, at, end);
      if (found === null && position < to) {
        refill();
        found = recordWords(memory, at, end);
      }
      length = found ?? 0;
      return found !== null;
    },
  };
}

/** Merges sorted runs with a binary heap of their readers. */
function* merge(runs: readonly RecordReader[]): Generator<StagedRow> {
  const heap = runs.filter((run) => run.next());
  const isBefore = (one: RecordReader, other: RecordReader) =>
    compareRecords(one.memory, one.at(), other.memory, other.at()) < 0;

  /** Moves the reader at `index` down to its place. */
  function siftDown(index: number): void {
    const moved = heap[index];
    if (moved === undefined) return;
    let hole = index;
    for (;;) {
      const left = heap[2 * hole + 1];
      if (left === undefined) break;
      const right = heap[2 * hole + 2];
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, moved)) break;
      heap[hole] = child;
      hole = 2 * hole + (isRight ? 2 : 1);
    }
    heap[hole] = moved;
  }

  for (let index = Math.floor(heap.length / 2) - 1; index >= 0; index -= 1) siftDown(index);
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    yield readRecord(top.memory, top.at());
    if (!top.next()) {
      const last = heap.pop();
      if (last !== undefined && last !== top) heap[0] = last;
    }
    siftDown(0);
  }
}

/** Returns the number of bytes written. */
function writeWords(file: number, { bytes }: RecordMemory, words: number): number {
  const length = words * 4;
  for (let written = 0; written < length; ) written += writeSync(file, bytes, written, length - written);
  return length;
}
