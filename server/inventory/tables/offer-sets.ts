import type { Pence } from '../../../domain/money.ts';
import { MAX_PRICE_FACTOR } from '../../../domain/price-drop.ts';
import type { SqlSession, SqlValue } from '../../storage/sql-database.ts';
import { unlessDuplicateKey } from '../../storage/unless-duplicate-key.ts';
import type { OfferRow } from '../inventory.ts';
import {
  IS_OFFER,
  KEY_COLUMNS,
  OFFER,
  OFFER_COLUMNS,
  PRICE_SINCE,
  seenAgainSql,
  VALUE_COLUMNS,
} from '../offer-columns.ts';
import { BLOCK_DAY_COLUMNS } from './block-day-source.ts';
import { addRunsSql, endsRunSql, type PriceRunTable, priceSinceSql, recordRunsSql } from './price-runs.ts';

/**
 * Statements that compare an import's staged offers with the stored ones and write them. All join on the whole key,
 * which begins with the departure day: Citus distributes the tables by it, so each node joins its own rows.
 */

const IS_SAME = KEY_COLUMNS.map((column) => `offer.${column} = staged.${column}`).join(' and ');
const BLOCK_DAY = BLOCK_DAY_COLUMNS.join(', ');

const BOTH = `offer_staged as staged join offer on ${IS_SAME} where staged.import = ?`;
const IS_NEW = `not exists (select 1 from offer where ${IS_SAME})`;

/** The stored offers that an import removes: `offer_staged` has their keys under the import's number below zero. */
const IS_GONE = KEY_COLUMNS.map((column) => `offer.${column} = gone.${column}`).join(' and ');
const GONE = `from offer join offer_staged as gone on ${IS_GONE} where gone.import = -cast(? as integer)`;

const COMPARED = VALUE_COLUMNS.filter((column) => column !== 'seen_at');
const IS_CHANGED = isDistinct(COMPARED);
const IS_SEEN_AGAIN = seenAgainSql('staged.seen_at', 'offer.seen_at');
const IS_REPRICED = 'offer.price <> staged.price';
/** In 64 bits, because prices times 100 can exceed 32 bits. */
const IS_MOVED = 'cast(abs(staged.price - offer.price) as bigint) * 100 > cast(offer.price as bigint) * ?';
/** Prices are below 2^25, so three times a price fits. */
const IS_IMPLAUSIBLE = `(staged.price * ${MAX_PRICE_FACTOR} < offer.price or staged.price > offer.price * ${MAX_PRICE_FACTOR})`;
const ENDED = `from ${BOTH} and ${endsRunSql('staged', 'offer')}`;
const ENDS_UNCHANGED = `offer.price = staged.price and ${endsRunSql('staged', 'offer')}`;

/** The columns that affect price blocks. */
const IN_BLOCKS = ['price', 'local_charge', 'half_stars', 'expires_at'] as const;

function isDistinct(columns: readonly string[]): string {
  return `(${columnsOf('staged', columns)}) is distinct from (${columnsOf('offer', columns)})`;
}

/** Counts of an import's staged offers, by how they differ from the stored ones. */
export interface OfferSetCounts {
  staged: number;
  added: number;
  changed: number;
  /** Changed offers whose price differs. */
  repriced: number;
  /** Offers whose price moved by more than `movePercent` of the stored one. */
  moved: number;
  /** Offers whose price fell by more than `fallPercent` of the stored one. */
  fallen: number;
  /** Unchanged offers whose `seen_at` has to be rewritten. */
  seenAgain: number;
  /** Offers whose run ends at the same price: they return after missing days, or are set back. */
  endsUnchanged: number;
}

/**
 * The table for price changes, with its columns for the batch number, the previous price and the new row. For a
 * removed offer, the previous price is null, and the row is its last one.
 */
export interface PriceChangeTable {
  table: string;
  batch: string;
  was: string;
  /** The columns of `offer` that are copied. The names are the same in both tables. */
  columns: readonly string[];
}

/** The table for totals of new and changed offers below what `belowSql` selects. The columns of `key` are an offer's. */
export interface LowPriceTable {
  table: string;
  key: readonly string[];
  belowSql: string;
}

/** The table of quarantined prices. Its key is an offer's; `values` are the columns that an import reads. */
export interface QuarantineTable {
  table: string;
  values: readonly [was: string, price: string, day: string];
}

/** A staged offer's key and price, the stored price, and what the quarantine has. */
export interface ImplausibleOffer {
  row: OfferRow;
  stored: Pence | null;
  quarantined: { was: Pence; price: Pence; day: number } | null;
}

/** Writes one import's staged offers, inside the caller's transaction. */
export interface OfferSets {
  /** The number of staged offers. */
  size(importNumber: number): Promise<number>;
  /** Keeps the prices of stored offers that were seen after this minute, and later than staged. */
  keepSeenAfter(importNumber: number, minute: number): Promise<void>;
  /** `movePercent`: a larger move of the price counts as `moved`; `fallPercent`: a larger fall as `fallen`. */
  count(importNumber: number, movePercent: number, fallPercent: number): Promise<OfferSetCounts>;
  /** The largest price moves: hotel, airport, departure day, nights, stored and staged price. */
  largestMoves(importNumber: number, movePercent: number, limit: number): Promise<number[][]>;
  /** The staged offers whose price moved implausibly, or that are quarantined. */
  implausible(importNumber: number): AsyncIterable<ImplausibleOffer>;
  /** Removes a staged offer from those to write. If it is stored, it will be removed. */
  drop(importNumber: number, key: readonly number[]): Promise<void>;
  /** Like `count`, for a provider without offers in the store. */
  countAsNew(importNumber: number): Promise<OfferSetCounts>;
  /** Records the runs that end because the price changed or a day is missing. Call it before `update`. */
  recordEndedRuns(importNumber: number): Promise<void>;
  /** Notes a provider's stored offers that are not staged, which will be removed. Call it after `drop`. */
  noteGone(importNumber: number, provider: number): Promise<void>;
  /** Whether a staged offer is stored, but not noted as gone. */
  isOverlapping(importNumber: number): Promise<boolean>;
  /** The stored offers among those noted as gone. */
  goneOffers(importNumber: number): AsyncIterable<OfferRow>;
  countGone(importNumber: number): Promise<number>;
  /** Keeps the staged packages on sale: drops them from the list of packages that are gone. */
  keepStaged(importNumber: number): Promise<void>;
  /** Records the runs of the offers that are gone. Call it before `remove`. */
  recordRemovedRuns(importNumber: number): Promise<void>;
  /** Copies the price changes to the `PriceChangeTable`. Call it before `update`. */
  writePriceChanges(importNumber: number, batch: number): Promise<void>;
  /** Copies the offers that are gone to the `PriceChangeTable`. Call it before `remove`. */
  writeRemovals(importNumber: number, batch: number): Promise<void>;
  /** Copies the totals of new and changed offers to the `LowPriceTable`. Call it before `update` and `insert`. */
  writeLows(importNumber: number, batch: number): Promise<void>;
  /** Notes the days of price blocks that will change. Call it before `update` and `insert`. */
  noteBlockDays(importNumber: number): Promise<void>;
  /** Notes the block days of the offers that are gone. Call it before `remove`. */
  noteRemovedBlockDays(importNumber: number): Promise<void>;
  /** The noted days, in an order in which most blocks come once. */
  blockDays(importNumber: number): AsyncIterable<SqlValue[]>;
  /** Updates stored offers that changed, or were seen again. */
  update(importNumber: number): Promise<void>;
  /** Adds the new offers that depart from `firstDay` to `lastDay`; returns how many. */
  insert(importNumber: number, firstDay: number, lastDay: number): Promise<number>;
  /** The first and the last departure day of the staged offers. */
  days(importNumber: number): Promise<[first: number, last: number]>;
  /** Removes the offers that are gone. */
  remove(importNumber: number): Promise<void>;
  clear(importNumber: number): Promise<void>;
}

export function offerSets(
  tx: SqlSession,
  {
    runs,
    changes,
    lows,
    quarantine,
  }: { runs: PriceRunTable; changes: PriceChangeTable; lows: LowPriceTable; quarantine: QuarantineTable },
): OfferSets {
  const run = (sql: string) => {
    const statement = tx.prepare(sql);
    return async (...values: number[]) => {
      await statement.run(...values);
    };
  };
  const count = tx.prepare(COUNT);
  const moves = tx.prepare(LARGEST_MOVES);
  const implausible = tx.prepare(implausibleSql(quarantine));
  const drop = run(`update offer_staged set import = -import where import = ? and ${IS_OFFER}`);
  const noteGone = run(NOTE_GONE);
  const overlapping = tx.prepare(OVERLAPPING);
  const gone = tx.prepare(`select ${columnsOf('offer', OFFER_COLUMNS)} ${GONE}`);
  const countGone = tx.prepare(`select count(*) ${GONE}`);
  const writeChanges = run(priceChangesSql(changes));
  const writeRemovals = run(removalsSql(changes));
  const clearOffers = run('delete from offer_staged where abs(import) = ?');
  const writeLows = run(lowsSql(lows));
  const clearDays = run('delete from block_day_staged where import = ?');
  const noteRemoved = run(NOTE_REMOVED_DAYS);
  const isEmbedded = tx.engine === 'sqlite';
  const remove = run(isEmbedded ? REMOVE_IN_SQLITE : REMOVE);
  const blockDays = tx.prepare(`select ${BLOCK_DAY} from block_day_staged where import = ?
    order by ${isEmbedded ? MONTH_IN_SQLITE : MONTH}, ${BLOCK_DAY_COLUMNS.slice(1).join(', ')}, departure_day`);
  /** In PostgreSQL without `on conflict` first, because two runs of an offer rarely begin in the same minute. */
  const recordRuns = (from: string) => {
    const [add, record] = [run(addRunsSql(runs, from)), run(recordRunsSql(runs, from))];
    if (isEmbedded) return record;
    return (...values: number[]) =>
      unlessDuplicateKey(
        tx,
        () => add(...values),
        () => record(...values),
      );
  };
  const size = tx.prepare('select count(*) from offer_staged where import = ?');
  const insert = tx.prepare(`${insertSql(runs)} and departure_day between ? and ?`);
  const days = tx.prepare('select min(departure_day), max(departure_day) from offer_staged where import = ?');
  return {
    size: async (importNumber) => Number((await size.row(importNumber))?.[0]),
    keepSeenAfter: run(KEEP_SEEN_AFTER),
    async count(importNumber, movePercent, fallPercent) {
      const counts = ((await count.row(movePercent, fallPercent, importNumber)) ?? []).map(Number);
      const [staged = 0, added = 0, changed = 0, repriced = 0, moved = 0, fallen = 0] = counts;
      const [seenAgain = 0, endsUnchanged = 0] = counts.slice(6);
      return { staged, added, changed, repriced, moved, fallen, seenAgain, endsUnchanged };
    },
    async countAsNew(importNumber) {
      const staged = Number((await size.row(importNumber))?.[0]);
      return {
        staged,
        added: staged,
        changed: 0,
        repriced: 0,
        moved: 0,
        fallen: 0,
        seenAgain: 0,
        endsUnchanged: 0,
      };
    },
    largestMoves: async (importNumber, movePercent, limit) =>
      (await moves.rows(importNumber, movePercent, limit)).map((row) => row.map(Number)),
    async *implausible(importNumber) {
      for await (const values of implausible.iterate(importNumber)) {
        const [stored, was, price, day] = values
          .splice(OFFER.price + 1)
          .map((value) => value && Number(value));
        const entry = was === null ? null : { was: Number(was), price: Number(price), day: Number(day) };
        yield {
          row: values as unknown as OfferRow,
          stored: stored === null ? null : Number(stored),
          quarantined: entry,
        };
      }
    },
    drop: (importNumber, key) => drop(importNumber, ...key),
    recordEndedRuns: recordRuns(ENDED),
    noteGone: (importNumber, provider) => noteGone(importNumber, provider, importNumber),
    isOverlapping: async (importNumber) => (await overlapping.row(importNumber)) !== undefined,
    goneOffers: (importNumber) =>
      gone.iterate(importNumber) as AsyncIterable<unknown> as AsyncIterable<OfferRow>,
    countGone: async (importNumber) => Number((await countGone.row(importNumber))?.[0]),
    keepStaged: run(KEEP_STAGED),
    recordRemovedRuns: recordRuns(GONE),
    writePriceChanges: (importNumber, batch) => writeChanges(batch, importNumber),
    writeRemovals: (importNumber, batch) => writeRemovals(batch, importNumber),
    writeLows: (importNumber, batch) => writeLows(batch, importNumber),
    noteBlockDays: run(NOTE_DAYS),
    noteRemovedBlockDays: (importNumber) => noteRemoved(importNumber, importNumber),
    blockDays: (importNumber) => blockDays.iterate(importNumber),
    update: run(updateSql(runs)),
    insert: async (...values) => (await insert.run(...values)).changes,
    async days(importNumber) {
      const [first = 0, last = 0] = ((await days.row(importNumber)) ?? []).map(Number);
      return [first, last];
    },
    remove,
    async clear(importNumber) {
      await clearOffers(importNumber);
      await clearDays(importNumber);
    },
  };
}

const COUNT = `select count(*), count(*) filter (where offer.price is null),
    count(*) filter (where offer.price is not null and ${IS_CHANGED}),
    count(*) filter (where ${IS_REPRICED}),
    count(*) filter (where ${IS_MOVED}),
    count(*) filter (where offer.price > staged.price and ${IS_MOVED}),
    count(*) filter (where offer.price is not null and not (${IS_CHANGED}) and ${IS_SEEN_AGAIN}),
    count(*) filter (where ${ENDS_UNCHANGED})
  from offer_staged as staged left join offer on ${IS_SAME} where staged.import = ?`;

const KEEP_SEEN_AFTER = `update offer_staged as staged
  set price = offer.price, price_before = offer.price_before, seen_at = offer.seen_at
  from offer where staged.import = ? and ${IS_SAME} and offer.seen_at > ? and offer.seen_at > staged.seen_at`;

const LARGEST_MOVES = `select offer.hotel, offer.airport, offer.departure_day, offer.nights, offer.price, staged.price
  from ${BOTH} and ${IS_MOVED}
  order by case when offer.price > staged.price then cast(offer.price as double precision) / staged.price
    else cast(staged.price as double precision) / offer.price end desc limit ?`;

/** SQL that updates the stored offers of an import that changed, or were seen again. */
export function updateSql(runs: PriceRunTable | null): string {
  const values = VALUE_COLUMNS.map((column) => `${column} = staged.${column}`);
  if (runs !== null) values.push(`${PRICE_SINCE} = ${priceSinceSql('staged', 'offer')}`);
  return `update offer set ${values.join(', ')} from offer_staged as staged
    where staged.import = ? and ${IS_SAME} and (${IS_CHANGED} or ${IS_SEEN_AGAIN})`;
}

/** SQL that adds an import's new offers. */
export function insertSql(runs: PriceRunTable | null): string {
  const since = runs === null ? '0' : 'staged.seen_at';
  return `insert into offer (${OFFER_COLUMNS.join(', ')}, ${PRICE_SINCE})
    select ${OFFER_COLUMNS.join(', ')}, ${since} from offer_staged as staged where import = ? and ${IS_NEW}`;
}

const NOTE_DAYS = `insert into block_day_staged (${BLOCK_DAY}, import)
  select distinct ${columnsOf('staged', BLOCK_DAY_COLUMNS)}, staged.import
  from offer_staged as staged left join offer on ${IS_SAME}
  where staged.import = ? and (offer.price is null or ${isDistinct(IN_BLOCKS)})
  on conflict do nothing`;

const NOTE_REMOVED_DAYS = `insert into block_day_staged (${BLOCK_DAY}, import)
  select distinct ${columnsOf('offer', BLOCK_DAY_COLUMNS)}, cast(? as integer) ${GONE}
  on conflict do nothing`;

const REMOVE = `delete from offer using offer_staged as gone where gone.import = -cast(? as integer) and ${IS_GONE}`;

/** SQLite has no `using`. */
export const REMOVE_STAGED_IN_SQLITE = `delete from offer where (${KEY_COLUMNS.join(', ')}) in
  (select ${KEY_COLUMNS.join(', ')} from offer_staged where import = ?)`;
const REMOVE_IN_SQLITE = REMOVE_STAGED_IN_SQLITE.replace('?', '-cast(? as integer)');

const MONTH = `date_trunc('month', date '1970-01-01' + departure_day)`;
const MONTH_IN_SQLITE = `strftime('%Y%m', departure_day * 86400, 'unixepoch')`;

/** SQL that makes the tables of staged rows for a connection to SQLite. PostgreSQL's are in its schema. */
export const STAGED_TABLES = `create temp table if not exists offer_staged (
    ${OFFER_COLUMNS.map((column) => `${column} ${column === 'link' ? 'text' : 'integer'}`).join(', ')},
    import integer, primary key (import, ${KEY_COLUMNS.join(', ')})) strict, without rowid;
  create temp table if not exists block_day_staged (${BLOCK_DAY_COLUMNS.map((column) => `${column} integer`).join(', ')},
    import integer, primary key (import, ${BLOCK_DAY})) strict, without rowid`;

const NOTE_GONE = `insert into offer_staged (${KEY_COLUMNS.join(', ')}, import)
  select ${columnsOf('offer', KEY_COLUMNS)}, -cast(? as integer) from offer where provider = ?
    and not exists (select 1 from offer_staged as staged where staged.import = ? and ${IS_SAME})
  on conflict do nothing`;

/** A row for a staged offer that is stored, but not noted as gone. */
const OVERLAPPING = `select 1 from ${BOTH} and not exists
  (select 1 from offer_staged as gone where gone.import = -staged.import and ${IS_GONE}) limit 1`;

const KEEP_STAGED = `delete from offer_staged as gone where gone.import = -cast(? as integer) and exists
  (select 1 from offer_staged as staged where staged.import = -gone.import and ${IS_SAME.replaceAll('offer.', 'gone.')})`;

function priceChangesSql({ table, batch, was, columns }: PriceChangeTable): string {
  return `insert into ${table} (${batch}, ${was}, ${columns.join(', ')})
    select cast(? as bigint), offer.price, ${columnsOf('staged', columns)} from ${BOTH} and ${IS_REPRICED}`;
}

function lowsSql({ table, key, belowSql }: LowPriceTable): string {
  const total = `staged.price + staged.local_charge / 2`;
  return `insert into ${table} (batch, ${key.join(', ')}, price)
    select cast(? as bigint), ${columnsOf('staged', key)}, min(${total})
    from offer_staged as staged left join offer on ${IS_SAME}
    where staged.import = ? and ${IS_CHANGED} and ${total} < (${belowSql})
    group by ${columnsOf('staged', key)}`;
}

function removalsSql({ table, batch, was, columns }: PriceChangeTable): string {
  return `insert into ${table} (${batch}, ${was}, ${columns.join(', ')})
    select cast(? as bigint), null, ${columnsOf('offer', columns)} ${GONE}`;
}

function columnsOf(source: 'staged' | 'offer', columns: readonly string[]): string {
  return columns.map((column) => `${source}.${column}`).join(', ');
}

/** SQL that records the runs that end because the price changed or a day is missing. */
export function endedRunsSql(runs: PriceRunTable): string {
  return recordRunsSql(runs, ENDED);
}

/** The columns of staged offers: an `OfferRow` and the import's number. */
export const STAGED_COLUMNS = [...OFFER_COLUMNS, 'import'] as const;

/** Selects, as `OfferRow`s, the stored rows of staged offers whose price differs. */
export const OLD_OFFERS_OF_REPRICED = `select ${columnsOf('offer', OFFER_COLUMNS)} from ${BOTH} and ${IS_REPRICED}`;

export const REMOVE_STAGED = `delete from offer using offer_staged as staged where staged.import = ? and ${IS_SAME}`;

function implausibleSql({ table, values }: QuarantineTable): string {
  const isQuarantined = KEY_COLUMNS.map((column) => `quarantined.${column} = staged.${column}`).join(' and ');
  return `select ${columnsOf('staged', [...KEY_COLUMNS, 'price'])}, offer.price,
      ${values.map((column) => `quarantined.${column}`).join(', ')}
    from offer_staged as staged left join offer on ${IS_SAME} left join ${table} as quarantined on ${isQuarantined}
    where staged.import = ? and (${IS_IMPLAUSIBLE} or quarantined.price is not null)`;
}

export function runsOfStagedSql(runs: PriceRunTable): string {
  return recordRunsSql(runs, `from ${BOTH}`);
}
