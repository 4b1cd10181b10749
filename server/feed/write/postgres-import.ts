import { LOW_PRICES } from '../../alerts/matching/low-prices.ts';
import { PRICE_CHANGES, type PriceChangeQueue } from '../../alerts/matching/price-change-queue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, type OfferKey, VALUE_COLUMNS } from '../../inventory/offer-columns.ts';
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
import { readNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession, SqlTransaction, SqlValue } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import {
  type FeedPart,
  MAX_MOVES,
  noDifference,
  type PriceMove,
  saleJudge,
  WALKED_ROWS,
  WholeFeedNeeded,
  withoutDuplicates,
} from './difference.ts';
import { MAX_FALL } from './import-guardrails.ts';
import { LeaseLost } from './import-lease.ts';
import { hasQuarantined, QUARANTINE } from './quarantine.ts';
import type { Staging } from './staging.ts';
import { type AppliedFeed, STORE_CHANGED, type StoreImport } from './store-import.ts';

/** The columns of `block_day_staged`, the part of an `OfferKey` that a block needs. */
const BLOCK_DAY = 'departure_day, nights, party, country, region, resort, airport';

/** Groups a block's days, so that most blocks are written once. */
const BLOCK_ORDER = `date_trunc('month', date '1970-01-01' + departure_day), nights, party, country, region, resort, airport,
  departure_day`;

/**
 * Imports into PostgreSQL: stages the whole feed with COPY, compares it there, and writes it with a few
 * statements in one transaction. Imports of different providers run in parallel.
 */
export async function postgresImport(database: SqlDatabase, queue: PriceChangeQueue): Promise<StoreImport> {
  const tables = { runs: PRICE_RUNS, changes: PRICE_CHANGES, lows: LOW_PRICES, quarantine: QUARANTINE };
  const setsIn = (tx: SqlSession) => offerSets(tx, tables);
  // Keeps the feed's records from being removed. Writing transactions lock again, because the connection may
  // have been lost.
  const releaseRecords = await database.holdShared(RECORDS_IN_USE);
  const removedAtStart = await readNote(database, RECORDS_REMOVED);
  const stays = new Set<number>();
  let staged: { code: string; importNumber: number } | null = null;
  let compared: OfferSetCounts | null = null;

  /** A provider's imports share a number, so that the next one clears what a killed one has staged. */
  async function numberOf(code: string): Promise<number> {
    const find = database.prepare('select number from offer_import where provider = ?');
    const add = database.prepare('insert into offer_import (provider) values (?) on conflict do nothing');
    if ((await find.row(code)) === undefined) await add.run(code);
    return Number((await find.row(code))?.[0]);
  }

  async function stage(
    code: string,
    importNumber: number,
    rows: AsyncIterable<readonly SqlValue[]>,
  ): Promise<void> {
    await database.write(`offers of ${code}`, async (tx) => {
      // Compares with what another import of the provider has just written.
      await tx.cluster?.waitForCommits();
      await setsIn(tx).clear(importNumber);
      await tx.addRows('offer_staged', STAGED_COLUMNS, rows);
    });
    staged = { code, importNumber };
    // Without statistics, the planner expects few rows. Outside the transaction, to avoid deadlock with a
    // move of rows on Citus. Skipped during a move: offers are then looked up, which may be slower.
    await database.exec('analyze (skip_locked) offer_staged');
  }

  /** Keeps the records that the feed refers to until the transaction ends. */
  async function keepRecords(tx: SqlTransaction): Promise<void> {
    await tx.share(RECORDS_IN_USE);
    if ((await readNote(tx, RECORDS_REMOVED)) !== removedAtStart) throw new FeedFault(STORE_CHANGED);
  }

  async function writeStays({ sql }: SqlSession): Promise<void> {
    for (const nights of stays)
      await sql.run`insert into stay (nights) values (${nights}) on conflict do nothing`;
  }

  /** Runs the statements in an order in which each still sees the old offers that it needs. */
  async function writeSets(
    tx: SqlSession,
    importNumber: number,
    { added, changed, repriced, seenAgain, endsUnchanged }: OfferSetCounts,
    { dictionaries: { provider }, difference: { removed }, part }: AppliedFeed,
  ): Promise<void> {
    const sets = setsIn(tx);
    if (added + changed > 0) {
      await sets.noteBlockDays(importNumber);
      const hasSearches = (await tx.sql.get`select 1 from alert_search limit 1`) !== undefined;
      if (hasSearches) await sets.writeLows(importNumber, await queue.batch(tx));
    }
    if (removed > 0) {
      if (part === null) await sets.noteGone(importNumber, provider);
      await sets.noteRemovedBlockDays(importNumber);
      await sets.recordRemovedRuns(importNumber);
      await sets.writeRemovals(importNumber, await queue.batch(tx));
      await sets.remove(importNumber);
    }
    if (repriced + endsUnchanged > 0) {
      await sets.recordEndedRuns(importNumber);
      if (repriced > 0) await sets.writePriceChanges(importNumber, await queue.batch(tx));
    }
    if (changed + seenAgain > 0) await sets.update(importNumber);
    if (added > 0) await sets.insert(importNumber);
  }

  async function writeBlocks(tx: SqlTransaction, importNumber: number): Promise<void> {
    const blocks = await priceBlockTable(tx);
    const days = tx.prepare(
      `select ${BLOCK_DAY} from block_day_staged where import = ? order by ${BLOCK_ORDER}`,
    );
    await blocks.note(days.iterate(importNumber) as unknown as AsyncIterable<OfferKey>);
    await blocks.write();
  }

  return {
    records: (work) =>
      database.write('dictionaries', async (tx) => {
        await keepRecords(tx);
        return work(tx);
      }),
    async compare({ code, provider, staging, lines, limits, part, checkedAfter }) {
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
      // Sorts the feed before the transaction begins.
      const first = rows.next();
      const numbered = numberedRows(first, rows, { importNumber, staging, part, onWalked: lines.onWalked });
      await stage(code, importNumber, numbered);
      const compareSets = async (tx: SqlSession) => {
        const sets = setsIn(tx);
        if (provider === null) return sets.countAsNew(importNumber);
        return withJoinPlan(tx, packages, async () => {
          if (part === 'new lines' && (await sets.isOverlapping(importNumber))) throw new WholeFeedNeeded();
          if (part !== null) {
            for await (const row of sets.goneOffers(importNumber)) lines.onTouched(row);
            await sets.keepStaged(importNumber);
          }
          if (checkedAfter !== null) await sets.keepSeenAfter(importNumber, checkedAfter);
          const counts = await sets.count(importNumber, limits.percent, MAX_FALL);
          found.moved = counts.moved;
          found.fallen = counts.fallen;
          if (counts.moved > 0)
            found.moves = (await sets.largestMoves(
              importNumber,
              limits.percent,
              MAX_MOVES,
            )) as unknown as PriceMove[];
          if (counts.repriced === 0 && !(await hasQuarantined(tx, provider))) return counts;
          const isOnSale = saleJudge(staging, found, limits.quarantine);
          for await (const { row, stored, quarantined } of sets.implausible(importNumber))
            isOnSale(row, stored, quarantined);
          for (const row of staging.quarantined())
            await sets.drop(importNumber, row.slice(0, KEY_COLUMNS.length));
          return sets.count(importNumber, limits.percent, MAX_FALL);
        });
      };
      const found = noDifference();
      const counts = await database.write(`offers of ${code}`, compareSets);
      compared = counts;
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
      feed.onWritten(0);
      // Records the packages that the last import removed, so that those in this feed count as returning.
      await queue.settle();
      const { code, dictionaries, difference, firstDay, check, finish } = feed;
      const importNumber = await numberOf(code);
      await database.write('dictionaries', writeStays);
      await database.write('price blocks', (tx) => removeOffersBefore(tx, firstDay, PRICE_RUNS));
      await database.write(`offers of ${code}`, async (tx) => {
        const sets = setsIn(tx);
        await keepRecords(tx);
        await check(tx);
        if (compared === null || (await sets.size(importNumber)) !== compared.staged) throw new LeaseLost();
        const counts = compared;
        await withJoinPlan(tx, counts.staged, async () => writeSets(tx, importNumber, counts, feed));
        if (difference.added > 0) await queue.queueReturnsOf(tx, code);
        await writeBlocks(tx, importNumber);
        await sets.clear(importNumber);
        await updateReferenceRecords(tx, dictionaries.updates());
        await renewReferenceVersion(tx);
        await noteSameHotels(tx);
        await finish(tx);
        await queue.seal(tx);
      });
      await queue.settle();
    },
    async close() {
      await releaseRecords();
      if (staged === null) return;
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

const NO_VALUES = VALUE_COLUMNS.map(() => null);

/** `first`, the rows that follow it, and under the number below zero the keys that a part of a feed may remove. */
async function* numberedRows(
  first: IteratorResult<OfferRow>,
  rows: Iterator<OfferRow>,
  {
    importNumber,
    staging,
    part,
    onWalked,
  }: { importNumber: number; staging: Staging; part: FeedPart | null; onWalked: () => Promise<void> },
): AsyncGenerator<SqlValue[]> {
  let nth = 0;
  for (let row = first; row.done !== true; row = rows.next(), nth += 1) {
    if (nth % WALKED_ROWS === 0) await onWalked();
    yield [...row.value, importNumber];
  }
  if (part === null) return;
  for (const { key, isGone } of staging.touched())
    if (isGone || part === 'changes') yield [...key, ...NO_VALUES, -importNumber];
}
