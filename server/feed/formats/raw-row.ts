import type { Fingerprint, LineSieve } from './fingerprint.ts';
import type { FlatFields } from './flat-item.ts';

/** Why a row or one of its fields was refused. */
export interface Problem {
  /** The item's field, or '' for the whole row. */
  field: string;
  /** The value as written; the report shortens and escapes it. */
  value: unknown;
  /** Follows the field's name in a sentence. Rows are grouped by it, so it contains no values. */
  reason: string;
}

/** A row's fields under the item's names, and what could not be read. */
export interface FlatRow {
  fields: FlatFields;
  problems: readonly Problem[];
}

/** A row of a feed. `line` is its first line in the file, from 1. `fingerprint` null: it is read every time. */
export type RawRow =
  | ({ kind: 'row'; line: number; fingerprint: Fingerprint | null } & FlatRow)
  | { kind: 'unreadable'; line: number; value: string; reason: string };

/** The rows of a line. One that is split into several is read every time. */
export function rowsOf(line: number, fingerprint: Fingerprint | null, rows: readonly FlatRow[]): RawRow[] {
  const recognised = rows.length === 1 ? fingerprint : null;
  return rows.map((row) => ({ kind: 'row', line, fingerprint: recognised, ...row }));
}

export const NO_PROBLEMS: readonly Problem[] = [];

/** The feed may be truncated: its last line is incomplete. Lost packages would look sold out. */
export function cutOffFeed(line: number, reason: string, hint = ''): FeedFault {
  return new FeedFault(
    `The feed ends on line ${line} without a newline, and that line ${reason}. It may be cut off, so nothing was imported: fetch it again.${hint}`,
  );
}

/** A feed's bytes after decompression. */
export type FeedBytes = AsyncIterable<Uint8Array>;

/** How to read a feed. */
export interface RowReading {
  /** Leaves out lines that need no reading. */
  sieve: LineSieve;
  /** Called with the values of columns that no field reads. Null: nothing needs them. */
  onUnread: ((column: string, value: string) => void) | null;
}

export type ReadRows = (bytes: FeedBytes, reading: RowReading) => AsyncGenerator<RawRow[]>;

/** A feed that cannot be imported. The message says what is wrong, where, and what to do. */
export class FeedFault extends Error {
  override readonly name = 'FeedFault';
}

/** A feed that could be read, but none of whose rows may be sold. */
export class UnusableFeed extends FeedFault {}
