import type { Pence } from '../../../domain/money.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, isSeenAgain, KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { MAX_FALL } from './import-guardrails.ts';
import { type QuarantineRule, quarantinedReader, quarantineJudge } from './quarantine.ts';
import { type LineMark, type StagedRow, type Staging, UNMARKED } from './staging.ts';

const KEYS = KEY_COLUMNS.length;

/** Rows between two calls of `onWalked`. */
export const WALKED_ROWS = 1_000;

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
  /** Called every `WALKED_ROWS` rows. */
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
  { onDuplicate, correct, onKept, onPackage }: Omit<StagedLines, 'onTouched' | 'onWalked'>,
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

/**
 * Walks the staged feed and the stored offers in parallel, in key order, and stages the changes. Of a part of a feed,
 * looks up the offers that it touches; the others count as unchanged.
 */
export async function findDifference(
  database: SqlDatabase,
  staging: Staging,
  {
    provider,
    limits,
    part,
    checkedAfter,
    ...lines
  }: StagedLines & {
    provider: number | null;
    limits: MoveLimits;
    part: FeedPart | null;
    checkedAfter: number | null;
  },
): Promise<Difference> {
  const found = noDifference();
  const isOnSale = saleJudge(staging, found, limits.quarantine);
  const quarantined = await quarantinedReader(database, provider);
  const rows = withoutDuplicates(staging.sorted(part === 'changes'), lines);
  // Sorts the feed before querying the store, to keep no transaction open meanwhile.
  let nextRow = rows.next();
  const offers =
    part === null ? offersOf(database, provider) : touchedOffers(database, staging, part, lines.onTouched);
  const stored = offers[Symbol.asyncIterator]();
  let offer = await stored.next();

  async function removeOffer(gone: OfferRow): Promise<void> {
    staging.remove(gone);
    found.removed += 1;
    offer = await stored.next();
  }

  /** Plans the update of a stored package. Returns false if it must be removed, because it is quarantined. */
  function compare(fed: OfferRow, was: OfferRow): boolean {
    const row = withCheckedPrice(fed, was, checkedAfter);
    const [price, before] = [row[OFFER.price], was[OFFER.price]];
    if (Math.abs(price - before) * 100 > before * limits.percent) {
      found.moved += 1;
      noteMove(found.moves, row, before);
    }
    if (price * 100 < before * (100 - MAX_FALL)) found.fallen += 1;
    if (!isOnSale(row, before, null)) return false;
    const isChanged = row.some(
      (value, column) => column >= KEYS && column !== OFFER.seenAt && value !== was[column],
    );
    const isWritten = isChanged || isSeenAgain(row[OFFER.seenAt], was[OFFER.seenAt]);
    found[isChanged ? 'changed' : isWritten ? 'seenAgain' : 'unchanged'] += 1;
    if (price !== before) found.repriced += 1;
    if (isWritten) staging.change(row);
    return true;
  }

  for (let nth = 0; nextRow.done !== true; nextRow = rows.next(), nth += 1) {
    if (nth % WALKED_ROWS === 0) await lines.onWalked();
    const row = nextRow.value;
    while (offer.done !== true && compareKeys(offer.value, row) < 0) await removeOffer(offer.value);
    if (offer.done !== true && compareKeys(offer.value, row) === 0) {
      if (compare(row, offer.value)) {
        found.packages += 1;
        offer = await stored.next();
      } else await removeOffer(offer.value);
    } else if (isOnSale(row, null, await quarantined(row))) {
      found.packages += 1;
      found.added += 1;
      staging.change(row);
    }
  }
  while (offer.done !== true) await removeOffer(offer.value);
  return found;
}

/** The feed's row, with the stored price if a price check saw it after the feed's file was made. */
function withCheckedPrice(fed: OfferRow, was: OfferRow, checkedAfter: number | null): OfferRow {
  const seenAt = was[OFFER.seenAt];
  if (checkedAfter === null || seenAt <= Math.max(checkedAfter, fed[OFFER.seenAt])) return fed;
  return fed
    .with(OFFER.price, was[OFFER.price])
    .with(OFFER.priceBefore, was[OFFER.priceBefore])
    .with(OFFER.seenAt, seenAt) as unknown as OfferRow;
}

/** Decides about the quarantine, and counts the packages that it keeps off sale. */
export function saleJudge(staging: Staging, found: Difference, rule: QuarantineRule) {
  return quarantineJudge(staging, rule, (row, was, stored) => {
    found.quarantined += 1;
    // Stored packages are among the moves already.
    if (stored === null) noteMove(found.moves, row, was);
  });
}

export function noDifference(): Difference {
  const counts = { packages: 0, added: 0, changed: 0, repriced: 0, moved: 0, fallen: 0, quarantined: 0 };
  return { ...counts, moves: [], seenAgain: 0, unchanged: 0, removed: 0 };
}

/** Keeps the largest moves, sorted by their factor. */
function noteMove(moves: PriceMove[], row: OfferRow, was: Pence): void {
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

/** A provider's offers in the store, by key. */
export function offersOf(database: SqlDatabase, provider: number | null): AsyncIterable<OfferRow> {
  const offers = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer where provider = ? order by ${KEY_COLUMNS.join(', ')}`,
  );
  return offers.iterate(provider ?? 0) as unknown as AsyncIterable<OfferRow>;
}

/** The stored offers of the staged rows and of lines that are gone, by key. */
async function* touchedOffers(
  database: SqlDatabase,
  staging: Staging,
  part: FeedPart,
  onTouched: (row: OfferRow) => void,
): AsyncGenerator<OfferRow> {
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  for (const { key, isGone } of staging.touched()) {
    const row = (await find.row(...key)) as unknown as OfferRow | undefined;
    if (row === undefined) continue;
    if (part === 'new lines' && !isGone) throw new WholeFeedNeeded();
    onTouched(row);
    yield row;
  }
}

/** Compares the keys of two offers, in the store's order. */
export function compareKeys(one: OfferRow, other: OfferRow): number {
  for (let column = 0; column < KEYS; column += 1) {
    const difference = Number(one[column]) - Number(other[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
