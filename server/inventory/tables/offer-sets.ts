import type { SqlDatabase } from '../../storage/sql-database.ts';
import { unlessDuplicateKey } from '../../storage/unless-duplicate-key.ts';
import {
  hasGapSql,
  KEY_COLUMNS,
  OFFER_COLUMNS,
  PRICE_SINCE,
  seenAgainSql,
  VALUE_COLUMNS,
} from '../offer-columns.ts';
import { BLOCK_DAY_COLUMNS } from './block-day-source.ts';
import type { PriceRunTable } from './offer-table.ts';
import { addRunsSql, endsRunSql, priceSinceSql, recordRunsSql } from './price-runs.ts';

/**
 * PostgreSQL statements that compare an import's staged offers with the stored ones and write them. All join
 * on the whole key, which begins with the departure day: where tables are distributed by it, each node joins
 * its own rows.
 */

const IS_SAME = KEY_COLUMNS.map((column) => `offer.${column} = staged.${column}`).join(' and ');
const BLOCK_DAY = BLOCK_DAY_COLUMNS.join(', ');

const BOTH = `offer_staged as staged join offer on ${IS_SAME} where staged.import = ?`;
const IS_NEW = `not exists (select from offer where ${IS_SAME})`;
const IS_GONE = `not exists (select from offer_staged as staged where staged.import = ? and ${IS_SAME})`;

const COMPARED = VALUE_COLUMNS.filter((column) => column !== 'seen_at');
const IS_CHANGED = isDistinct(COMPARED);
const IS_SEEN_AGAIN = seenAgainSql('staged.seen_at', 'offer.seen_at');
const IS_REPRICED = 'offer.price <> staged.price';
const ENDED = `from ${BOTH} and ${endsRunSql('staged', 'offer')}`;
const IS_AFTER_GAP = `offer.price = staged.price and ${hasGapSql('staged.seen_at', 'offer.seen_at')}`;

/** The columns that price blocks are made from. */
const IN_BLOCKS = ['price', 'half_stars', 'expires_at'] as const;

function isDistinct(columns: readonly string[]): string {
  const row = (table: string) => columns.map((column) => `${table}.${column}`).join(', ');
  return `(${row('staged')}) is distinct from (${row('offer')})`;
}

/** How an import's staged offers differ from the stored ones. */
export interface OfferSetCounts {
  staged: number;
  added: number;
  changed: number;
  /** Changed offers with another price. */
  repriced: number;
  /** Unchanged, but `seen_at` is due. */
  seenAgain: number;
  /** Seen again at the same price after missing days. */
  isAfterGap: number;
}

/**
 * Where price changes go: the batch number, the previous price, and columns of the new row. A removed offer
 * has a null price and its last row.
 */
export interface PriceChangeTable {
  table: string;
  batch: string;
  was: string;
  /** The written columns of `offer`, in both tables. */
  columns: readonly string[];
}

/** Writes one import's staged offers, inside the caller's transaction. */
export interface OfferSets {
  /** The number of staged offers. */
  size(importNumber: number): number;
  count(importNumber: number): OfferSetCounts;
  /** The same if no offer of the import is stored yet. */
  countAsNew(importNumber: number): OfferSetCounts;
  /** Records the runs ended by another price or a gap. Call it before `update`. */
  recordEndedRuns(importNumber: number): void;
  /** Records the runs of a provider's offers that are not staged. Call it before `remove`. */
  recordRemovedRuns(importNumber: number, provider: number): void;
  /** Writes the price changes into another table. Call it before `update`. */
  writePriceChanges(importNumber: number, batch: number): void;
  /** Writes a provider's unstaged offers into that table. Call it before `remove`. */
  writeRemovals(importNumber: number, provider: number, batch: number): void;
  /** Stages the changed days of price blocks. Call it before `update` and `insert`. */
  noteBlockDays(importNumber: number): void;
  /** The same for a provider's unstaged offers. Call it before `remove`. */
  noteRemovedBlockDays(importNumber: number, provider: number): void;
  /** Updates offers that changed or were seen again. */
  update(importNumber: number): void;
  insert(importNumber: number): void;
  /** Removes a provider's offers that are not staged. */
  remove(importNumber: number, provider: number): void;
  clear(importNumber: number): void;
}

export function offerSets(
  database: SqlDatabase,
  { runs, changes }: { runs: PriceRunTable; changes: PriceChangeTable },
): OfferSets {
  const run = (sql: string) => {
    const statement = database.prepare(sql);
    return (...values: number[]) => void statement.run(...values);
  };
  const count = database.prepare(COUNT);
  const writeChanges = run(priceChangesSql(changes));
  const writeRemovals = run(removalsSql(changes));
  const clearOffers = run('delete from offer_staged where import = ?');
  const clearDays = run('delete from block_day_staged where import = ?');
  const noteRemoved = run(NOTE_REMOVED_DAYS);
  const remove = run(`delete from offer where provider = ? and ${IS_GONE}`);
  /** Two runs of an offer rarely begin in the same minute. */
  const recordRuns = (from: string) => {
    const [add, record] = [run(addRunsSql(runs, from)), run(recordRunsSql(runs, from))];
    return (...values: number[]) =>
      unlessDuplicateKey(
        database,
        () => add(...values),
        () => record(...values),
      );
  };
  const recordRemoved = recordRuns(`from offer where provider = ? and ${IS_GONE}`);
  const size = database.prepare('select count(*) from offer_staged where import = ?');
  return {
    size: (importNumber) => Number(size.row(importNumber)?.[0]),
    count(importNumber) {
      const counts = (count.row(importNumber) ?? []).map(Number);
      const [staged, added, changed, repriced, seenAgain, isAfterGap] = counts;
      return {
        staged: staged ?? 0,
        added: added ?? 0,
        changed: changed ?? 0,
        repriced: repriced ?? 0,
        seenAgain: seenAgain ?? 0,
        isAfterGap: isAfterGap ?? 0,
      };
    },
    countAsNew(importNumber) {
      const staged = Number(size.row(importNumber)?.[0]);
      return { staged, added: staged, changed: 0, repriced: 0, seenAgain: 0, isAfterGap: 0 };
    },
    recordEndedRuns: recordRuns(ENDED),
    recordRemovedRuns: (importNumber, provider) => recordRemoved(provider, importNumber),
    writePriceChanges: (importNumber, batch) => writeChanges(batch, importNumber),
    writeRemovals: (importNumber, provider, batch) => writeRemovals(batch, provider, importNumber),
    noteBlockDays: run(NOTE_DAYS),
    noteRemovedBlockDays: (importNumber, provider) => noteRemoved(importNumber, provider, importNumber),
    update: run(updateSql(runs)),
    insert: run(insertSql(runs)),
    remove: (importNumber, provider) => remove(provider, importNumber),
    clear(importNumber) {
      clearOffers(importNumber);
      clearDays(importNumber);
    },
  };
}

const COUNT = `select count(*), count(*) filter (where offer.price is null),
    count(*) filter (where offer.price is not null and ${IS_CHANGED}),
    count(*) filter (where ${IS_REPRICED}),
    count(*) filter (where offer.price is not null and not (${IS_CHANGED}) and ${IS_SEEN_AGAIN}),
    count(*) filter (where ${IS_AFTER_GAP})
  from offer_staged as staged left join offer on ${IS_SAME} where staged.import = ?`;

/** Updates offers of an import that changed or were seen again. */
export function updateSql(runs: PriceRunTable | null): string {
  const values = VALUE_COLUMNS.map((column) => `${column} = staged.${column}`);
  if (runs !== null) values.push(`${PRICE_SINCE} = ${priceSinceSql('staged', 'offer')}`);
  return `update offer set ${values.join(', ')} from offer_staged as staged
    where staged.import = ? and ${IS_SAME} and (${IS_CHANGED} or ${IS_SEEN_AGAIN})`;
}

/** Adds new offers of an import. */
export function insertSql(runs: PriceRunTable | null): string {
  const since = runs === null ? '0' : 'staged.seen_at';
  return `insert into offer (${OFFER_COLUMNS.join(', ')}, ${PRICE_SINCE})
    select ${OFFER_COLUMNS.join(', ')}, ${since} from offer_staged as staged where import = ? and ${IS_NEW}`;
}

const NOTE_DAYS = `insert into block_day_staged (${BLOCK_DAY}, import)
  select distinct ${BLOCK_DAY_COLUMNS.map((column) => `staged.${column}`).join(', ')}, staged.import
  from offer_staged as staged left join offer on ${IS_SAME}
  where staged.import = ? and (offer.price is null or ${isDistinct(IN_BLOCKS)})
  on conflict do nothing`;

const NOTE_REMOVED_DAYS = `insert into block_day_staged (${BLOCK_DAY}, import)
  select distinct ${BLOCK_DAY}, cast(? as integer) from offer where provider = ? and ${IS_GONE}
  on conflict do nothing`;

function priceChangesSql({ table, batch, was, columns }: PriceChangeTable): string {
  return `insert into ${table} (${batch}, ${was}, ${columns.join(', ')})
    select cast(? as bigint), offer.price, ${columnsOf('staged', columns)} from ${BOTH} and ${IS_REPRICED}`;
}

function removalsSql({ table, batch, was, columns }: PriceChangeTable): string {
  return `insert into ${table} (${batch}, ${was}, ${columns.join(', ')})
    select cast(? as bigint), null, ${columnsOf('offer', columns)} from offer where provider = ? and ${IS_GONE}`;
}

function columnsOf(source: 'staged' | 'offer', columns: readonly string[]): string {
  return columns.map((column) => `${source}.${column}`).join(', ');
}

/** Records runs ended by another price or a gap. */
export function endedRunsSql(runs: PriceRunTable): string {
  return recordRunsSql(runs, ENDED);
}

/** The columns of staged offers: an `OfferRow` and the import's number. */
export const STAGED_COLUMNS = [...OFFER_COLUMNS, 'import'] as const;

/** The old rows of staged offers with another price, as `OfferRow`s. */
export const OLD_OFFERS_OF_REPRICED = `select ${columnsOf('offer', OFFER_COLUMNS)} from ${BOTH} and ${IS_REPRICED}`;

export const REMOVE_STAGED = `delete from offer using offer_staged as staged where staged.import = ? and ${IS_SAME}`;

export function runsOfStagedSql(runs: PriceRunTable): string {
  return recordRunsSql(runs, `from ${BOTH}`);
}
