import type { OfferRow } from '../../inventory/inventory.ts';
import { isSeenAgain, KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StagedRow, Staging } from './staging.ts';

const KEYS = KEY_COLUMNS.length;

/** The planned changes of an import, in packages. */
export interface Difference {
  /** In the feed, without duplicates. */
  packages: number;
  added: number;
  changed: number;
  /** Changed packages with another price. */
  repriced: number;
  /** Unchanged, but `seen_at` is due. */
  seenAgain: number;
  unchanged: number;
  removed: number;
  /** Lines that duplicate a cheaper or earlier line of the package. */
  duplicates: number;
}

/** How to handle the lines of a staged feed. */
export interface StagedLines {
  onDuplicate: (line: number, kept: number) => void;
  /** The row with what later lines have said of its hotel. Its key and price stay. */
  correct: (row: OfferRow) => OfferRow;
  /** Called for every line. */
  onWalked: () => void;
  /** Called for every row without duplicates. */
  onKept: (row: OfferRow) => void;
}

/** The staged rows in key order without duplicates. */
export function* withoutDuplicates(
  sorted: Iterable<StagedRow>,
  { onDuplicate, correct, onWalked, onKept }: StagedLines,
): Generator<OfferRow> {
  let last: StagedRow | null = null;
  for (const staged of sorted) {
    onWalked();
    if (last !== null && compareKeys(last.row, staged.row) === 0) {
      onDuplicate(staged.line, last.line);
      continue;
    }
    last = staged;
    const row = correct(staged.row);
    onKept(row);
    yield row;
  }
}

/** Walks the staged feed and the stored offers in parallel, in key order, and stages the changes. */
export function findDifference(
  database: SqlDatabase,
  staging: Staging,
  { provider, ...lines }: StagedLines & { provider: number | null },
): Difference {
  const found: Difference = {
    packages: 0,
    added: 0,
    changed: 0,
    repriced: 0,
    seenAgain: 0,
    unchanged: 0,
    removed: 0,
    duplicates: 0,
  };
  const rows = withoutDuplicates(staging.sorted(), {
    ...lines,
    onDuplicate(line, kept) {
      found.duplicates += 1;
      lines.onDuplicate(line, kept);
    },
  });
  // Sorts the feed before querying the store, to keep no transaction open meanwhile.
  let nextRow = rows.next();
  const stored = offersOf(database, provider)[Symbol.iterator]();
  let offer = stored.next();

  function removeOffer(gone: OfferRow): void {
    staging.remove(gone);
    found.removed += 1;
    offer = stored.next();
  }

  function compare(row: OfferRow, was: OfferRow): void {
    const isChanged = row.some(
      (value, column) => column >= KEYS && column !== OFFER.seenAt && value !== was[column],
    );
    const isWritten = isChanged || isSeenAgain(row[OFFER.seenAt], was[OFFER.seenAt]);
    found[isChanged ? 'changed' : isWritten ? 'seenAgain' : 'unchanged'] += 1;
    if (row[OFFER.price] !== was[OFFER.price]) found.repriced += 1;
    if (isWritten) staging.change(row);
  }

  for (; nextRow.done !== true; nextRow = rows.next()) {
    const row = nextRow.value;
    found.packages += 1;
    while (offer.done !== true && compareKeys(offer.value, row) < 0) removeOffer(offer.value);
    if (offer.done !== true && compareKeys(offer.value, row) === 0) {
      compare(row, offer.value);
      offer = stored.next();
    } else {
      found.added += 1;
      staging.change(row);
    }
  }
  while (offer.done !== true) removeOffer(offer.value);
  return found;
}

function offersOf(database: SqlDatabase, provider: number | null): Iterable<OfferRow> {
  if (provider === null) return [];
  const offers = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer where provider = ? order by ${KEY_COLUMNS.join(', ')}`,
  );
  return offers.iterate(provider) as unknown as Iterable<OfferRow>;
}

/** In the store's order. */
function compareKeys(one: OfferRow, other: OfferRow): number {
  for (let column = 0; column < KEYS; column += 1) {
    const difference = Number(one[column]) - Number(other[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}
