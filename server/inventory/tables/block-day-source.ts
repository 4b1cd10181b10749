import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import type { BlockBytes } from '../price-block.ts';

/** One departure day of a price block. */
export interface BlockDay {
  block: BlockKey;
  /** Days since 1970-01-01. */
  day: number;
}

/** What a block needs of an offer: hotel, board, provider, half stars, price, `expires_at`. */
export type BlockOffer = readonly [
  hotel: number,
  board: number,
  provider: number,
  halfStars: number,
  price: number,
  expiresAt: number,
];

export const BLOCK_OFFER_COLUMNS = [
  'hotel',
  'board',
  'provider',
  'half_stars',
  'price',
  'expires_at',
] as const;

/** The first columns of an offer's key: together they identify a `BlockDay`. */
export const BLOCK_DAY_COLUMNS = [
  'departure_day',
  'nights',
  'party',
  'country',
  'region',
  'resort',
  'airport',
] as const;

/** Reads what the blocks' days are made from, inside the caller's transaction. */
export interface BlockDaySource {
  /** The offers of each day, in the order of the days. */
  offersOf(days: readonly BlockDay[]): BlockOffer[][];
  /** The stored blocks, in the order of the keys; null: there is none. */
  blocksOf(keys: readonly BlockKey[]): (BlockBytes | null)[];
}

export function blockDaySource(database: SqlDatabase): BlockDaySource {
  return database.engine === 'sqlite' ? oneByOne(database) : together(database);
}

/** The values of `BLOCK_DAY_COLUMNS`. */
export function blockDayValues({
  block: [party, nights, , airport, country, region, resort],
  day,
}: BlockDay): number[] {
  return [day, nights, party, country, region, resort, airport];
}

function oneByOne(database: SqlDatabase): BlockDaySource {
  const offers = database.prepare(
    `select ${BLOCK_OFFER_COLUMNS.join(', ')} from offer where ${BLOCK_DAY_COLUMNS.map((column) => `${column} = ?`).join(' and ')}`,
  );
  const block = database.prepare(
    `select cells from price_block where ${BLOCK_KEY.map((column) => `${column} = ?`).join(' and ')}`,
  );
  return {
    offersOf: (days) => days.map((day) => offers.rows(...blockDayValues(day)) as unknown as BlockOffer[]),
    blocksOf: (keys) => keys.map((key) => (block.row(...key)?.[0] ?? null) as BlockBytes | null),
  };
}

/** In PostgreSQL one statement reads all of them, since each statement is a round trip. */
function together(database: SqlDatabase): BlockDaySource {
  const days = givenRows(database, 'offer', BLOCK_DAY_COLUMNS);
  const offers = database.prepare(
    `select ${BLOCK_DAY_COLUMNS.join(', ')}, ${BLOCK_OFFER_COLUMNS.join(', ')}
      from ${days.sql} join offer using (${BLOCK_DAY_COLUMNS.join(', ')})`,
  );
  const keys = givenRows(database, 'price_block', BLOCK_KEY);
  const blocks = database.prepare(
    `select ${BLOCK_KEY.join(', ')}, cells from ${keys.sql} join price_block using (${BLOCK_KEY.join(', ')})`,
  );
  return {
    offersOf(wanted) {
      const values = wanted.map(blockDayValues);
      const found = Map.groupBy(offers.rows(...days.valuesOf(values)), nameOf(BLOCK_DAY_COLUMNS.length));
      return values.map((day) =>
        (found.get(day.join()) ?? []).map(
          (row) => row.slice(BLOCK_DAY_COLUMNS.length) as unknown as BlockOffer,
        ),
      );
    },
    blocksOf(wanted) {
      const found = blocks.rows(...keys.valuesOf(wanted));
      const byKey = new Map(found.map((row) => [nameOf(BLOCK_KEY.length)(row), row[BLOCK_KEY.length]]));
      return wanted.map((key) => (byKey.get(key.join()) ?? null) as BlockBytes | null);
    },
  };
}

function nameOf(columns: number): (row: readonly SqlValue[]) => string {
  return (row) => row.slice(0, columns).join();
}
