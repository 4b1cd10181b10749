import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import type { BlockBytes } from '../price-block.ts';

/** One departure day of a price block, in days since 1970-01-01. */
export interface BlockDay {
  block: BlockKey;
  day: number;
}

/** Some departure days of a price block. */
export interface BlockDays {
  block: BlockKey;
  days: readonly number[];
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

/** A `BlockOffer` after its departure day. */
export type DayOffer = readonly [departureDay: number, ...offer: BlockOffer];

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

/** The values of `BLOCK_DAY_COLUMNS`. */
export function blockDayValues({
  block: [party, nights, , airport, country, region, resort],
  day,
}: BlockDay): number[] {
  return [day, nights, party, country, region, resort, airport];
}

/** Reads what blocks are made from, inside the caller's transaction. */
export interface BlockDaySource {
  /** The offers on these days of each block, in the order of the blocks. */
  offersOf(blocks: readonly BlockDays[]): DayOffer[][];
  /** The stored blocks, in the order of the keys; null: there is none. */
  blocksOf(keys: readonly BlockKey[]): (BlockBytes | null)[];
}

export function blockDaySource(database: SqlDatabase): BlockDaySource {
  return database.engine === 'sqlite' ? oneByOne(database) : together(database);
}

const DAY_OFFER_COLUMNS = ['departure_day', ...BLOCK_OFFER_COLUMNS].join(', ');

/** `BLOCK_DAY_COLUMNS` without the day. */
const PLACE_COLUMNS = BLOCK_DAY_COLUMNS.slice(1);

function oneByOne(database: SqlDatabase): BlockDaySource {
  const select = `select ${DAY_OFFER_COLUMNS} from offer where`;
  const place = PLACE_COLUMNS.map((column) => `${column} = ?`).join(' and ');
  const onDay = database.prepare(`${select} departure_day = ? and ${place}`);
  const onDays = database.prepare(`${select} ${database.anyOf('departure_day')} and ${place}`);
  const block = database.prepare(
    `select cells from price_block where ${BLOCK_KEY.map((column) => `${column} = ?`).join(' and ')}`,
  );
  return {
    offersOf: (blocks) =>
      blocks.map(({ block: [party, nights, , airport, country, region, resort], days }) => {
        const [day, ...others] = days;
        const values = [nights, party, country, region, resort, airport];
        const rows =
          day !== undefined && others.length === 0
            ? onDay.rows(day, ...values)
            : onDays.rows(days, ...values);
        return rows as unknown as DayOffer[];
      }),
    blocksOf: (keys) => keys.map((key) => (block.row(...key)?.[0] ?? null) as BlockBytes | null),
  };
}

/** In PostgreSQL one statement reads all of them, since each statement is a round trip. */
function together(database: SqlDatabase): BlockDaySource {
  const days = givenRows(database, 'offer', BLOCK_DAY_COLUMNS);
  const columns = [...PLACE_COLUMNS, ...DAY_OFFER_COLUMNS.split(', ')];
  const offers = database.prepare(
    `select ${columns.join(', ')} from ${days.sql} join offer using (${BLOCK_DAY_COLUMNS.join(', ')})`,
  );
  const keys = givenRows(database, 'price_block', BLOCK_KEY);
  const blocks = database.prepare(
    `select ${BLOCK_KEY.join(', ')}, cells from ${keys.sql} join price_block using (${BLOCK_KEY.join(', ')})`,
  );
  return {
    offersOf(wanted) {
      const values = wanted.flatMap(({ block, days: ofBlock }) =>
        ofBlock.map((day) => blockDayValues({ block, day })),
      );
      // The same place in another month is another block; its offers are told apart by their day.
      const found = Map.groupBy(offers.rows(...days.valuesOf(values)), nameOf(PLACE_COLUMNS.length));
      return wanted.map(({ block, days: ofBlock }) => {
        const isWanted = new Set(ofBlock);
        const name = blockDayValues({ block, day: 0 }).slice(1).join();
        const rows = (found.get(name) ?? []).map((row) => row.slice(PLACE_COLUMNS.length));
        return (rows as unknown as DayOffer[]).filter(([day]) => isWanted.has(day));
      });
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
