import { PRICE_CHANGES, type PriceChangeQueue } from '../../alerts/matching/price-change-queue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER, type OfferKey } from '../../inventory/offer-columns.ts';
import { withJoinPlan } from '../../inventory/tables/join-plans.ts';
import { noteSameHotels } from '../../inventory/tables/note-same-hotels.ts';
import { type OfferSetCounts, offerSets, STAGED_COLUMNS } from '../../inventory/tables/offer-sets.ts';
import { priceBlockTable } from '../../inventory/tables/price-block-table.ts';
import {
  RECORDS_REMOVED,
  renewReferenceVersion,
  updateReferenceRecords,
} from '../../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../../inventory/tables/remove-offers.ts';
import { RECORDS_IN_USE } from '../../inventory/tables/remove-unused-records.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { MAX_MOVES, type PriceMove, withoutDuplicates } from './difference.ts';
import { LeaseLost } from './import-lease.ts';
import { type AppliedFeed, STORE_CHANGED, type StoreImport } from './store-import.ts';

/** The columns of `block_day_staged`, the part of an `OfferKey` that a block needs. */
const BLOCK_DAY = 'departure_day, nights, party, country, region, resort, airport';

/** Groups a block's days, so that most blocks are written once. */
const BLOCK_ORDER = `date_trunc('month', date '1970-01-01' + departure_day), nights, party, country, region, resort, airport,
  departure_day`;

/** Statements between two progress reports. */
const STEPS = 4;

/**
 * Imports into PostgreSQL: stages the whole feed with COPY, compares it there, and writes it with a few
 * statements in one transaction. Imports of different providers run in parallel.
 */
export function postgresImport(database: SqlDatabase, queue: PriceChangeQueue): StoreImport {
  const sets = offerSets(database, { runs: PRICE_RUNS, changes: PRICE_CHANGES });
  const blocks = priceBlockTable(database);
  // Keeps the feed's records from being removed. Writing transactions lock again, because the connection may
  // have been lost.
  database.share(RECORDS_IN_USE);
  const removedAtStart = readNote(database, RECORDS_REMOVED);
  const stays = new Set<number>();
  let staged: { code: string; importNumber: number } | null = null;
  let compared: OfferSetCounts | null = null;

  /** A provider's imports share a number, so that the next one clears what a killed one has staged. */
  function numberOf(code: string): number {
    const find = database.prepare('select number from offer_import where provider = ?');
    const add = database.prepare('insert into offer_import (provider) values (?) on conflict do nothing');
    if (find.row(code) === undefined) add.run(code);
    return Number(find.row(code)?.[0]);
  }

  function stage(code: string, importNumber: number, rows: Iterable<readonly SqlValue[]>): void {
    const work = () => {
      // Compares with what another import of the provider has just written.
      database.waitForCommits();
      sets.clear(importNumber);
      database.addRows('offer_staged', STAGED_COLUMNS, rows);
    };
    inTransaction(database, work, `offers of ${code}`);
    staged = { code, importNumber };
    // Without statistics, the planner expects few rows. Outside the transaction, to avoid deadlock with a
    // move of rows on Citus. Skipped during a move: offers are then looked up, which may be slower.
    database.exec('analyze (skip_locked) offer_staged');
  }

  /** Keeps the records that the feed refers to until the open transaction ends. */
  function keepRecords(): void {
    database.shareInTransaction(RECORDS_IN_USE);
    if (readNote(database, RECORDS_REMOVED) !== removedAtStart) throw new FeedFault(STORE_CHANGED);
  }

  function writeStays(): void {
    const stay = database.prepare('insert into stay (nights) values (?) on conflict do nothing');
    for (const nights of stays) stay.run(nights);
  }

  /** Runs the statements in an order in which each still sees the old offers that it needs. */
  function writeSets(
    importNumber: number,
    { added, changed, repriced, seenAgain, isAfterGap }: OfferSetCounts,
    { dictionaries: { provider }, difference: { removed }, onWritten }: AppliedFeed,
  ): void {
    const toWrite = added + changed + seenAgain + removed;
    let done = 0;
    const step = (isNeeded: boolean, work: () => void) => {
      if (isNeeded) work();
      done += 1;
      onWritten(Math.floor((toWrite * done) / STEPS));
    };
    step(added + changed > 0, () => sets.noteBlockDays(importNumber));
    step(removed > 0, () => {
      sets.noteRemovedBlockDays(importNumber, provider);
      sets.recordRemovedRuns(importNumber, provider);
      sets.writeRemovals(importNumber, provider, queue.batch());
      sets.remove(importNumber, provider);
    });
    step(repriced + isAfterGap > 0, () => {
      sets.recordEndedRuns(importNumber);
      if (repriced > 0) sets.writePriceChanges(importNumber, queue.batch());
    });
    step(changed + seenAgain + added > 0, () => {
      if (changed + seenAgain > 0) sets.update(importNumber);
      if (added > 0) sets.insert(importNumber);
    });
  }

  function writeBlocks(importNumber: number): void {
    const days = database.prepare(
      `select ${BLOCK_DAY} from block_day_staged where import = ? order by ${BLOCK_ORDER}`,
    );
    blocks.note(days.iterate(importNumber) as unknown as Iterable<OfferKey>);
    blocks.write();
  }

  return {
    records: {
      begin() {
        database.begin('dictionaries');
        keepRecords();
      },
      commit: database.commit,
      rollback: database.rollback,
    },
    compare({ code, provider, staging, lines, limits }) {
      const importNumber = numberOf(code);
      let packages = 0;
      const rows = withoutDuplicates(staging.sorted(), {
        ...lines,
        onKept(row) {
          packages += 1;
          stays.add(row[OFFER.nights]);
          lines.onKept(row);
        },
      });
      // Sorts the feed before the transaction begins.
      const first = rows.next();
      stage(code, importNumber, numbered(first, rows, importNumber));
      const compareSets = () => {
        if (provider === null)
          return { counts: sets.countAsNew(importNumber), moves: [], moved: 0, quarantined: 0 };
        return withJoinPlan(database, packages, () => {
          const { moved } = sets.count(importNumber, limits.percent);
          const largest = moved === 0 ? [] : sets.largestMoves(importNumber, limits.percent, MAX_MOVES);
          const moves = largest as unknown as PriceMove[];
          const { factor } = limits;
          const quarantined = moved > 0 && factor !== null ? sets.dropBeyond(importNumber, factor) : 0;
          return { counts: sets.count(importNumber, limits.percent), moves, moved, quarantined };
        });
      };
      const { counts, moves, moved, quarantined } = inTransaction(database, compareSets, `offers of ${code}`);
      compared = counts;
      const { added, changed, repriced, seenAgain } = counts;
      packages -= quarantined;
      const stored =
        provider === null
          ? 0
          : Number(database.prepare('select count(*) from offer where provider = ?').row(provider)?.[0]);
      const unchanged = counts.staged - added - changed - seenAgain;
      const removed = stored - (counts.staged - added);
      return { packages, added, changed, repriced, moved, quarantined, moves, seenAgain, unchanged, removed };
    },
    apply(feed) {
      // Records the packages that the last import removed, so that those in this feed count as returning.
      queue.settle();
      const { code, dictionaries, difference, firstDay, check, finish } = feed;
      const importNumber = numberOf(code);
      inTransaction(database, writeStays, 'dictionaries');
      inTransaction(database, () => removeOffersBefore(database, firstDay, PRICE_RUNS), 'price blocks');
      const write = () => {
        keepRecords();
        check();
        if (compared === null || sets.size(importNumber) !== compared.staged) throw new LeaseLost();
        const counts = compared;
        withJoinPlan(database, counts.staged, () => writeSets(importNumber, counts, feed));
        if (difference.added > 0) queue.queueReturnsOf(code);
        writeBlocks(importNumber);
        sets.clear(importNumber);
        updateReferenceRecords(database, dictionaries.updates());
        renewReferenceVersion(database);
        noteSameHotels(database);
        finish();
        queue.seal();
      };
      inTransaction(database, write, `offers of ${code}`);
      queue.settle();
    },
    close() {
      database.unshare(RECORDS_IN_USE);
      if (staged === null) return;
      const { code, importNumber } = staged;
      inTransaction(database, () => sets.clear(importNumber), `offers of ${code}`);
      database.overwriteDeleted([
        'offer_staged',
        'block_day_staged',
        PRICE_CHANGES.table,
        'alert_price_batch',
      ]);
    },
  };
}

/** `first`, and the rows that follow it. */
function* numbered(first: IteratorResult<OfferRow>, rows: Iterator<OfferRow>, importNumber: number) {
  for (let row = first; row.done !== true; row = rows.next()) yield [...row.value, importNumber];
}
