import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlSession, SqlValue } from '../../storage/sql-database.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import { TOTAL_SQL } from '../offer-charges.ts';
import { KEY_COLUMNS, OFFER } from '../offer-columns.ts';
import type { BlockBytes } from '../price-block.ts';

/** One departure day of a price block. Days count from 1970-01-01. */
export interface BlockDay {
  block: BlockKey;
  day: number;
}

/** Some departure days of one price block. */
export interface BlockDays {
  block: BlockKey;
  days: readonly number[];
}

/** The columns of an offer that its block needs. The price is what the visitor pays in total. */
export type BlockOffer = readonly [
  hotel: number,
  board: number,
  provider: number,
  halfStars: number,
  price: number,
  expiresAt: number,
];

/** A departure day, followed by a `BlockOffer`. */
export type DayOffer = readonly [departureDay: number, ...offer: BlockOffer];

export const BLOCK_OFFER_COLUMNS = [
  'hotel',
  'board',
  'provider',
  'half_stars',
  TOTAL_SQL,
  'expires_at',
] as const;

/** The first columns of an offer's key, which identify a `BlockDay`. */
export const BLOCK_DAY_COLUMNS = KEY_COLUMNS.slice(0, OFFER.hotel);

export function blockDayValues({
  block: [party, nights, , airport, country, region, resort],
  day,
}: BlockDay): number[] {
  return [day, nights, party, country, region, resort, airport];
}

/** Reads offers and stored blocks, inside the caller's transaction. */
export interface BlockDaySource {
  /** Each block with the offers of its days. Reads during iteration. */
  offersOf<T extends BlockDays>(blocks: readonly T[]): AsyncIterable<readonly [T, DayOffer[]]>;
  /** The stored blocks in the order of the keys; null for a block that is not stored. */
  blocksOf(keys: readonly BlockKey[]): Promise<(BlockBytes | null)[]>;
}

export async function blockDaySource(tx: SqlSession): Promise<BlockDaySource> {
  return tx.engine === 'sqlite' ? oneByOne(tx) : await together(tx);
}

const DAY_OFFER_COLUMNS = ['departure_day', ...BLOCK_OFFER_COLUMNS].join(', ');

/** The SQL condition for `BLOCK_DAY_COLUMNS` without the day. */
const IS_PLACE = BLOCK_DAY_COLUMNS.slice(1)
  .map((column) => `${column} = ?`)
  .join(' and ');

function oneByOne(tx: SqlSession): BlockDaySource {
  const select = `select ${DAY_OFFER_COLUMNS} from offer where`;
  const onDay = tx.prepare(`${select} departure_day = ? and ${IS_PLACE}`);
  const onDays = tx.prepare(`${select} ${tx.anyOf('departure_day')} and ${IS_PLACE}`);
  const stored = tx.prepare(
    `select cells from price_block where ${BLOCK_KEY.map((column) => `${column} = ?`).join(' and ')}`,
  );
  return {
    async *offersOf(blocks) {
      for (const one of blocks) {
        const { block, days } = one;
        const values = blockDayValues({ block, day: days[0] ?? 0 });
        const rows =
          days.length === 1 ? await onDay.rows(...values) : await onDays.rows(days, ...values.slice(1));
        yield [one, rows as unknown as DayOffer[]];
      }
    },
    blocksOf: async (keys) =>
      await Promise.all(
        keys.map(async (key) => ((await stored.row(...key))?.[0] ?? null) as BlockBytes | null),
      ),
  };
}

/**
 * In PostgreSQL, reads all blocks with one statement, to save round trips. Streams the offers, because a feed
 * may have thousands per block.
 */
async function together(tx: SqlSession): Promise<BlockDaySource> {
  const days = await givenRows(tx, 'offer', BLOCK_DAY_COLUMNS);
  const offers = tx.prepare(
    `select ${DAY_OFFER_COLUMNS}, nth from ${days.numberedSql} join offer using (${BLOCK_DAY_COLUMNS.join(', ')})
      order by nth`,
  );
  const keys = await givenRows(tx, 'price_block', BLOCK_KEY);
  const blocks = tx.prepare(
    `select ${BLOCK_KEY.join(', ')}, cells from ${keys.sql} join price_block using (${BLOCK_KEY.join(', ')})`,
  );
  return {
    async *offersOf(wanted) {
      const values = wanted.flatMap(({ block, days: ofBlock }) =>
        ofBlock.map((day) => blockDayValues({ block, day })),
      );
      const rows = offers.iterate(...days.valuesOf(values))[Symbol.asyncIterator]();
      let row = await rows.next();
      let last = 0;
      for (const one of wanted) {
        last += one.days.length;
        const found: SqlValue[][] = [];
        for (; row.done !== true && Number(row.value.at(-1)) <= last; row = await rows.next())
          found.push(row.value);
        yield [one, found as unknown as DayOffer[]];
      }
    },
    async blocksOf(wanted) {
      const found = await blocks.rows(...keys.valuesOf(wanted));
      const byKey = new Map(found.map((row) => [row.slice(0, BLOCK_KEY.length).join(), row.at(-1)]));
      return wanted.map((key) => (byKey.get(key.join()) ?? null) as BlockBytes | null);
    },
  };
}
