import type { FlatFields } from './flat-item.ts';

/** Why a row, or the field of one, was not taken. */
export interface Problem {
  /** The item's field, the feed's column, or '' where it is the whole row. */
  field: string;
  /** The item's field that is not there because of it, where a mapping reads it from a column of another name. */
  spoils?: string;
  /** What stood there, as it was written; the report makes it short and harmless. */
  value: unknown;
  /** A few words that follow the field's name, the same for every row with this trouble: they are counted. */
  reason: string;
}

/** A row's fields under the item's names, and what could not be read of it. */
export interface FlatRow {
  fields: FlatFields;
  problems: readonly Problem[];
}

/** A row of a feed as its reader returns it. `line` is the file's line on which it begins, from 1. */
export type RawRow =
  | ({ kind: 'row'; line: number } & FlatRow)
  | { kind: 'unreadable'; line: number; problem: Problem };

export const NO_PROBLEMS: readonly Problem[] = [];

/** A feed whose last row breaks off. What it has lost cannot be told from what its provider has sold. */
export function cutOffFeed(line: number): FeedFault {
  return new FeedFault(
    `The feed ends in the middle of a row, on line ${line}: it was cut off, and nothing was taken. Fetch it again; if that line is the true end, end it with a line break.`,
  );
}

/** A feed's bytes, unpacked. */
export type FeedBytes = AsyncIterable<Uint8Array>;

/** A feed that cannot be taken at all. The message is for the operator: what is wrong, where, what to do. */
export class FeedFault extends Error {
  override readonly name = 'FeedFault';
}
