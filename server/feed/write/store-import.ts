import { LOW_PRICES } from '../../alerts/matching/low-prices.ts';
import { isIgnored, PRICE_CHANGES, type PriceChangeQueue } from '../../alerts/matching/price-change-queue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, type OfferKey, VALUE_COLUMNS } from '../../inventory/offer-columns.ts';
import { withJoinPlan } from '../../inventory/tables/join-plans.ts';
import { noteSameHotels } from '../../inventory/tables/note-same-hotels.ts';
import {
  type OfferSetCounts,
  offerSets,
  STAGED_COLUMNS,
  STAGED_TABLES,
} from '../../inventory/tables/offer-sets.ts';
import { priceBlockTable } from '../../inventory/tables/price-block-table.ts';
import {
  addReferenceRecords,
  RECORDS_REMOVED,
  referenceState,
  renewReferenceVersion,
  updateReferenceRecords,
} from '../../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../../inventory/tables/remove-offers.ts';
import { RECORDS_IN_USE } from '../../inventory/tables/remove-unused-records.ts';
import { batchesOf } from '../../lib/batches.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession, SqlTransaction, SqlValue } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import type { FeedDictionaries, RecordTransaction } from '../map/feed-dictionaries.ts';
import { MAX_FALL } from './import-guardrails.ts';
import { LeaseLost } from './import-lease.ts';
import { checksOf } from './outside-writes.ts';
import { hasQuarantined, QUARANTINE, quarantineJudge } from './quarantine.ts';
import {
  type Difference,
  type FeedPart,
  MAX_MOVES,
  type MoveLimits,
  noDifference,
  noteMove,
  type PriceMove,
  type StagedLines,
  WholeFeedNeeded,
  withoutDuplicates,
} from './staged-lines.ts';
import type { Staging } from './staging.ts';

/** The import's ids may have lost their meaning. */
export const STORE_CHANGED = 'The store has changed since the import began; nothing was written. Try again.';

/** Packages per transaction while they are staged. */
const STAGED_AT_ONCE = 10_000;

/** Departure days of which new packages are added by one statement, so that an import shows its progress. */
const DAYS_AT_ONCE = 30;

const NO_VALUES = VALUE_COLUMNS.map(() => null);

export interface ComparedFeed {
  code: string;
  staging: Staging;
  /** The provider's id; null: it is new. */
  provider: number | null;
  lines: StagedLines;
  limits: MoveLimits;
  /** Null: the whole feed is staged. */
  part: FeedPart | null;
  /**
   * Only a price check can have seen a stored offer after this minute. Its price stays if this feed's file is older.
   * Null: there are no checks.
   */
  checkedAfter: number | null;
}

export interface AppliedFeed {
  code: string;
  staging: Staging;
  dictionaries: FeedDictionaries;
  difference: Difference;
  part: FeedPart | null;
  /** Packages of every provider that depart before this day are removed. */
  firstDay: number;
  /** The state of the dictionaries when the import read them (`referenceState`). */
  version: string;
  /** Called first in each transaction; throws if the import may no longer write. */
  check: (tx: SqlSession) => Promise<void>;
  /** Called with the number of packages written so far. */
  onWritten: (packages: number) => void;
  /** Writes the import's notes. */
  finish: (tx: SqlTransaction) => Promise<void>;
}

/** How an import compares a staged feed with the store and writes it. */
export interface StoreImport {
  /** Adds the feed's new records while it is read. Null: `apply` adds them. */
  readonly records: RecordTransaction | null;
  compare(feed: ComparedFeed): Promise<Difference>;
  /** Writes what `compare` found, all or nothing. */
  apply(feed: AppliedFeed): Promise<void>;
  /** Clears what `compare` has staged in the store, and releases the import's locks. */
  close(): Promise<void>;
}

/**
 * Stages the whole feed in the store, compares it there, and writes it with a few statements in one transaction. In
 * PostgreSQL, imports of different providers run in parallel. In SQLite, the staged tables are in a temporary file of
 * the connection, so that only the last transaction keeps others from writing.
 */
export async function storeImport(database: SqlDatabase, queue: PriceChangeQueue): Promise<StoreImport> {
  const isEmbedded = database.engine === 'sqlite';
  const tables = { runs: PRICE_RUNS, changes: PRICE_CHANGES, lows: LOW_PRICES, quarantine: QUARANTINE };
  const setsIn = (tx: SqlSession) => offerSets(tx, tables);
  // Keeps the feed's records from being removed. Writing transactions lock again, because the connection may
  // have been lost.
  const releaseRecords = await database.holdShared(RECORDS_IN_USE);
  const removedAtStart = await readNote(database, RECORDS_REMOVED);
  const stays = new Set<number>();
  let staged: { code: string; importNumber: number } | null = null;
  let compared: { counts: OfferSetCounts; checkedAfter: number | null } | null = null;

  /** Runs work that writes only staged rows. */
  function whileStaging<T>(code: string, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return isEmbedded ? database.read(work) : database.write(`offers of ${code}`, work);
  }

  /** A provider's imports share a number, so that the next one clears what a killed one has staged. */
  async function numberOf(code: string): Promise<number> {
    if (isEmbedded) return 1;
    const find = database.prepare('select number from offer_import where provider = ?');
    const add = database.prepare('insert into offer_import (provider) values (?) on conflict do nothing');
    if ((await find.row(code)) === undefined) await add.run(code);
    return Number((await find.row(code))?.[0]);
  }

  async function stage(
    { code, lines: { onWalked } }: ComparedFeed,
    importNumber: number,
    rows: Iterable<readonly SqlValue[]>,
  ): Promise<void> {
    if (isEmbedded) await database.exec(STAGED_TABLES);
    staged = { code, importNumber };
    await whileStaging(code, async (tx) => {
      // Compares with what another import of the provider has just written.
      await tx.cluster?.waitForCommits();
      await setsIn(tx).clear(importNumber);
    });
    for (const some of batchesOf(rows, STAGED_AT_ONCE)) {
      await onWalked();
      await whileStaging(code, (tx) => tx.addRows('offer_staged', STAGED_COLUMNS, some));
    }
    // Without statistics, the planner expects few rows. Outside the transaction, to avoid deadlock with a
    // move of rows on Citus. Skipped during a move: offers are then looked up, which may be slower.
    if (!isEmbedded) await database.exec('analyze (skip_locked) offer_staged');
  }

  /** Keeps the records that the feed refers to until the transaction ends. */
  async function keepRecords(tx: SqlTransaction): Promise<void> {
    await tx.share(RECORDS_IN_USE);
    if ((await readNote(tx, RECORDS_REMOVED)) !== removedAtStart) throw new FeedFault(STORE_CHANGED);
  }

  async function updateRecords(tx: SqlSession, dictionaries: FeedDictionaries): Promise<void> {
    await updateReferenceRecords(tx, dictionaries.updates());
    await renewReferenceVersion(tx);
    await noteSameHotels(tx);
  }

  async function writeStays({ sql }: SqlSession): Promise<void> {
    for (const nights of stays)
      await sql.run`insert into stay (nights) values (${nights}) on conflict do nothing`;
  }

  /** Counts how the staged packages differ from the stored ones, after keeping implausible ones off sale. */
  async function compareSets(
    tx: SqlSession,
    importNumber: number,
    { provider, staging, lines, limits: { percent, quarantine }, part, checkedAfter }: ComparedFeed,
    found: Difference,
  ): Promise<OfferSetCounts> {
    const sets = setsIn(tx);
    if (provider === null) return sets.countAsNew(importNumber);
    if (part === 'new lines' && (await sets.isOverlapping(importNumber))) throw new WholeFeedNeeded();
    if (part !== null) {
      for await (const row of sets.goneOffers(importNumber)) lines.onTouched(row);
      await sets.keepStaged(importNumber);
    }
    if (checkedAfter !== null) await sets.keepSeenAfter(importNumber, checkedAfter);
    const counts = await sets.count(importNumber, percent, MAX_FALL);
    found.moved = counts.moved;
    found.fallen = counts.fallen;
    if (counts.moved > 0)
      found.moves = (await sets.largestMoves(importNumber, percent, MAX_MOVES)) as unknown as PriceMove[];
    if (counts.repriced === 0 && !(await hasQuarantined(tx, provider))) return counts;
    const isOnSale = quarantineJudge(staging, quarantine, (row, was, stored) => {
      found.quarantined += 1;
      // Stored packages are among the moves already.
      if (stored === null) noteMove(found.moves, row, was);
    });
    for await (const { row, stored, quarantined } of sets.implausible(importNumber))
      isOnSale(row, stored, quarantined);
    for (const row of staging.quarantined()) await sets.drop(importNumber, row.slice(0, KEY_COLUMNS.length));
    return sets.count(importNumber, percent, MAX_FALL);
  }

  /** Keeps the prices that were checked since the comparison. The counts then include offers that stay as they are. */
  async function keepLaterChecks(
    tx: SqlTransaction,
    importNumber: number,
    { dictionaries: { provider } }: AppliedFeed,
    checkedAfter: number,
  ): Promise<void> {
    await tx.share(checksOf(provider));
    await tx.cluster?.waitForCommits();
    await setsIn(tx).keepSeenAfter(importNumber, checkedAfter);
  }

  /** Runs the statements in an order in which each still sees the old offers that it needs. */
  async function writeSets(
    tx: SqlSession,
    importNumber: number,
    { added, changed, repriced, seenAgain, endsUnchanged }: OfferSetCounts,
    { dictionaries: { provider }, difference: { removed }, part, onWritten }: AppliedFeed,
  ): Promise<void> {
    const sets = setsIn(tx);
    const isQueued = !(await isIgnored(tx));
    if (added + changed > 0) {
      await sets.noteBlockDays(importNumber);
      const hasSearches = (await tx.sql.get`select 1 from alert_search limit 1`) !== undefined;
      if (hasSearches) await sets.writeLows(importNumber, await queue.batch(tx));
    }
    if (removed > 0) {
      if (part === null) await sets.noteGone(importNumber, provider);
      await sets.noteRemovedBlockDays(importNumber);
      await sets.recordRemovedRuns(importNumber);
      if (isQueued) await sets.writeRemovals(importNumber, await queue.batch(tx));
      await sets.remove(importNumber);
    }
    onWritten(removed);
    if (repriced + endsUnchanged > 0) {
      await sets.recordEndedRuns(importNumber);
      if (repriced > 0 && isQueued) await sets.writePriceChanges(importNumber, await queue.batch(tx));
    }
    if (changed + seenAgain > 0) await sets.update(importNumber);
    let written = removed + changed + seenAgain;
    onWritten(written);
    if (added === 0) return;
    const [first, last] = await sets.days(importNumber);
    for (let day = first; day <= last; day += DAYS_AT_ONCE) {
      written += await sets.insert(importNumber, day, day + DAYS_AT_ONCE - 1);
      onWritten(written);
    }
  }

  async function writeBlocks(tx: SqlTransaction, importNumber: number): Promise<void> {
    const blocks = await priceBlockTable(tx);
    await blocks.note(
      setsIn(tx).blockDays(importNumber) as AsyncIterable<unknown> as AsyncIterable<OfferKey>,
    );
    await blocks.write();
  }

  return {
    // The lease keeps others from adding records to the embedded store.
    records: isEmbedded
      ? null
      : (work) =>
          database.write('dictionaries', async (tx) => {
            await keepRecords(tx);
            return work(tx);
          }),
    async compare(feed) {
      const { code, provider, staging, lines, part } = feed;
      const importNumber = await numberOf(code);
      let packages = 0;
      const rows = withoutDuplicates(staging.sorted(part === 'changes'), {
        ...lines,
        onKept(row) {
          packages += 1;
          stays.add(row[OFFER.nights]);
          lines.onKept(row);
        },
      });
      await stage(feed, importNumber, numberedRows(rows, importNumber, staging, part));
      const found = noDifference();
      const counts = await whileStaging(code, (tx) =>
        withJoinPlan(tx, packages, () => compareSets(tx, importNumber, feed, found)),
      );
      // An import that has lost its lease may have staged rows meanwhile.
      if (counts.staged + found.quarantined !== packages) throw new LeaseLost();
      compared = { counts, checkedAfter: feed.checkedAfter };
      const { added, changed, repriced, seenAgain } = counts;
      packages -= found.quarantined;
      const unchanged = counts.staged - added - changed - seenAgain;
      const stored = database.prepare('select count(*) from offer where provider = ?');
      const removed =
        part === null
          ? Number((await stored.row(provider ?? 0))?.[0]) - (counts.staged - added)
          : await setsIn(database).countGone(importNumber);
      return { ...found, packages, added, changed, repriced, seenAgain, unchanged, removed };
    },
    async apply(feed) {
      const { code, dictionaries, difference, firstDay, version, check, onWritten, finish } = feed;
      onWritten(0);
      // Records the packages that the last import removed, so that those in this feed count as returning.
      await queue.settle();
      const importNumber = await numberOf(code);
      await database.write('dictionaries', writeStays);
      await database.write('price blocks', (tx) => removeOffersBefore(tx, firstDay, PRICE_RUNS));
      await database.write(`offers of ${code}`, async (tx) => {
        const sets = setsIn(tx);
        await keepRecords(tx);
        await check(tx);
        if (compared === null || (await sets.size(importNumber)) !== compared.counts.staged)
          throw new LeaseLost();
        if (isEmbedded) {
          if ((await referenceState(tx)) !== version) throw new FeedFault(STORE_CHANGED);
          await addReferenceRecords(tx, dictionaries.additions());
          await updateRecords(tx, dictionaries);
        }
        const { counts, checkedAfter } = compared;
        await withJoinPlan(tx, counts.staged, async () => {
          if (checkedAfter !== null) await keepLaterChecks(tx, importNumber, feed, checkedAfter);
          await writeSets(tx, importNumber, counts, feed);
        });
        if (difference.added > 0) await queue.queueReturnsOf(tx, code);
        await writeBlocks(tx, importNumber);
        if (!isEmbedded) {
          await sets.clear(importNumber);
          // Late, because others wait for changed records.
          await updateRecords(tx, dictionaries);
        }
        await finish(tx);
        await queue.seal(tx);
      });
      await queue.settle();
    },
    async close() {
      await releaseRecords();
      if (staged === null || isEmbedded) return;
      const { code, importNumber } = staged;
      await database.write(`offers of ${code}`, (tx) => setsIn(tx).clear(importNumber));
      await database.overwriteDeleted([
        'offer_staged',
        'block_day_staged',
        PRICE_CHANGES.table,
        'alert_price_batch',
      ]);
    },
  };
}

/** The rows under the import's number, then the keys that a part of a feed may remove, under its negative. */
function* numberedRows(
  rows: Iterable<OfferRow>,
  importNumber: number,
  staging: Staging,
  part: FeedPart | null,
): Generator<SqlValue[]> {
  for (const row of rows) yield [...row, importNumber];
  if (part === null) return;
  for (const { key, isGone } of staging.touched())
    if (isGone || part === 'changes') yield [...key, ...NO_VALUES, -importNumber];
}
