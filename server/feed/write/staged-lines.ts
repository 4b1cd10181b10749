import type { Pence } from '../../../domain/money.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER } from '../../inventory/offer-columns.ts';
import type { QuarantineRule } from './quarantine.ts';
import { type LineMark, type StagedRow, UNMARKED } from './staging.ts';

const KEYS = KEY_COLUMNS.length;

/** The planned changes of an import, in packages. */
export interface Difference {
  /** In the feed, without duplicates and quarantined packages. */
  packages: number;
  added: number;
  changed: number;
  /** Changed packages whose price differs. */
  repriced: number;
  /** Packages whose price moved further than a feed's prices usually do. */
  moved: number;
  /** Packages whose price fell by more than `MAX_FALL`. */
  fallen: number;
  /** Packages whose price moved so far that the feed is probably wrong: they are off sale. */
  quarantined: number;
  /** The largest moves, at most `MAX_MOVES`; the quarantined first. */
  moves: PriceMove[];
  /** Packages of which only `seen_at` must be written. */
  seenAgain: number;
  unchanged: number;
  removed: number;
}

/** A package with different prices in the store and in the feed. */
export type PriceMove = readonly [
  hotel: number,
  airport: number,
  departureDay: number,
  nights: number,
  was: Pence,
  price: Pence,
];

export const MAX_MOVES = 20;

/** How far prices may move, in percent of the stored price, and what happens to implausible ones. */
export interface MoveLimits {
  percent: number;
  quarantine: QuarantineRule;
}

/** How to handle the lines of a staged feed. */
export interface StagedLines {
  onDuplicate: (line: number, kept: number) => void;
  /** Corrects a row by what later lines say about its hotel. Keeps its key and price. */
  correct: (row: OfferRow) => OfferRow;
  /** Called often. */
  onWalked: () => Promise<void>;
  /** Called for every row that is not a duplicate. */
  onKept: (row: OfferRow) => void;
  /** Called for each package. `mark`: that of its line, if it is its only one. */
  onPackage: (row: OfferRow, mark: LineMark) => void;
  /** Called for each stored offer that a part of a feed touches. */
  onTouched: (row: OfferRow) => void;
}

/** What a part of a feed is: lines that are not in the last feed, or changes, which may repeat packages. */
export type FeedPart = 'new lines' | 'changes';

/** A package has a line that was read, and one that was not, so that the whole feed must be read. */
export class WholeFeedNeeded extends Error {
  override readonly name = 'WholeFeedNeeded';
}

/** The staged rows in key order without duplicates. */
export function* withoutDuplicates(
  sorted: Iterable<StagedRow>,
  { onDuplicate, correct, onKept, onPackage }: StagedLines,
): Generator<OfferRow> {
  let last: StagedRow | null = null;
  for (const staged of sorted) {
    if (last !== null && compareKeys(last.row, staged.row) === 0) {
      onDuplicate(staged.line, last.line);
      last.mark = UNMARKED;
      continue;
    }
    if (last !== null) onPackage(last.row, last.mark);
    last = staged;
    const row = correct(staged.row);
    onKept(row);
    yield row;
  }
  if (last !== null) onPackage(last.row, last.mark);
}

export function noDifference(): Difference {
  const counts = { packages: 0, added: 0, changed: 0, repriced: 0, moved: 0, fallen: 0, quarantined: 0 };
  return { ...counts, moves: [], seenAgain: 0, unchanged: 0, removed: 0 };
}

/** Keeps the largest moves, sorted by their factor. */
export function noteMove(moves: PriceMove[], row: OfferRow, was: Pence): void {
  const { hotel, airport, departureDay, nights, price } = OFFER;
  const move: PriceMove = [row[hotel], row[airport], row[departureDay], row[nights], was, row[price]];
  const at = moves.findIndex((one) => factorOf(one) < factorOf(move));
  if (at < 0 && moves.length >= MAX_MOVES) return;
  moves.splice(at < 0 ? moves.length : at, 0, move);
  moves.length = Math.min(moves.length, MAX_MOVES);
}

function factorOf([, , , , was, price]: PriceMove): number {
  return Math.max(was / price, price / was);
}

/** Compares the keys of two offers, in the store's order. */
export function compareKeys(one: OfferRow, other: OfferRow): number {
  for (let column = 0; column < KEYS; column += 1) {
    const difference = Number(one[column]) - Number(other[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
