import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthOfDay } from '../../domain/month.ts';
import { findingsOf } from '../../server/conditions/condition.ts';
import { PRICE_BLOCKS_WRONG } from '../../server/conditions/setup/contents-wrong.ts';
import { BlockCursor, decodeBlock } from '../../server/inventory/block-cursor.ts';
import { encodeHotels, type HotelBytes, HotelCursor } from '../../server/inventory/block-hotels.ts';
import { BLOCK_KEY, type BlockKey } from '../../server/inventory/block-key.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { totalPrice } from '../../server/inventory/offer-charges.ts';
import { OFFER, OFFER_COLUMNS, type OfferKey } from '../../server/inventory/offer-columns.ts';
import {
  type BlockBytes,
  earliestExpiry,
  encodeBlock,
  lowestOf,
  NEVER,
  type PriceBlock,
  type PriceCell,
  WHOLE_MONTH,
} from '../../server/inventory/price-block.ts';
import { blockOfOffers } from '../../server/inventory/tables/blocks-of-offers.ts';
import { offerTable } from '../../server/inventory/tables/offer-table.ts';
import { rebuildPriceBlocks } from '../../server/inventory/tables/rebuild-price-blocks.ts';
import { writeReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import {
  removeAllOffers,
  removeOffersBefore,
  removeOffersOf,
} from '../../server/inventory/tables/remove-offers.ts';
import { PRICE_RUNS } from '../../server/price-history/history-table.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlTransaction } from '../../server/storage/sql-database.ts';
import { anyOffers } from '../fixtures/any-offers.ts';
import { fillBlocks } from '../fixtures/expect-true-blocks.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { byKey, FIRST_DAY, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

/** A change to the store's offers. */
type Change =
  | { kind: 'write'; offers: OfferRow[] }
  | { kind: 'remove'; share: number }
  | { kind: 'remove-before'; day: number }
  | { kind: 'remove-provider'; provider: number }
  | { kind: 'fill' };

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: anyOffers(60).map((offers): Change => ({ kind: 'write', offers })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 4 }).map((share): Change => ({ kind: 'remove', share })),
  },
  fc.integer({ min: -5, max: 5 }).map((days): Change => ({ kind: 'remove-before', day: FIRST_DAY + days })),
  fc.constantFrom(1, 2).map((provider): Change => ({ kind: 'remove-provider', provider })),
  fc.constant<Change>({ kind: 'fill' }),
);

for (const kind of ALL_STORE_KINDS) {
  describe(`The price blocks of the ${kind} store`, () => {
    let store: TestStore;
    let database: SqlDatabase;
    beforeAll(async () => {
      store = await makeStore(kind);
      database = await openDatabase(store.address);
      await writeReferenceTables(database, REFERENCE);
      await database.exec('insert into stay (nights) values (4), (7)');
    });
    afterAll(async () => {
      await database.close();
      await store.remove();
    });

    it('match the offers of a dense feed, with thousands in a few blocks', async () => {
      const [first] = smallOffers() as [OfferRow];
      const dense = Array.from({ length: 12_000 }, (_, nth) =>
        first
          .with(OFFER.departureDay, FIRST_DAY + Math.floor(nth / 4_000))
          .with(OFFER.party, 1 + (Math.floor(nth / 2_000) % 2))
          .with(OFFER.room, 1 + (nth % 2_000))
          .with(OFFER.price, 50_000 + ((nth * 7_919) % 10_007)),
      ) as unknown as OfferRow[];
      await database.write('records', async (tx) => {
        await removeAllOffers(tx);
        await write(tx, dense);
      });
      await expectEqualBlocks(database);
    });

    it('match the offers after writes, price changes, removals, and an upgrade of an old store', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyChange, { maxLength: 8 }), async (changes) => {
          await database.write('records', async (tx) => removeAllOffers(tx));
          for (const change of changes) {
            await apply(database, change);
            await expectEqualBlocks(database);
          }
        }),
        { numRuns: 40 },
      );
    });

    it('are compared with the offers by the doctor, and rebuilt if wrong', async () => {
      const now = FIRST_DAY * 86_400_000;
      const month = monthOfDay(FIRST_DAY);
      await database.write('records', async (tx) => {
        await removeAllOffers(tx);
        await write(tx, smallOffers());
      });
      expect(await findingsOf([PRICE_BLOCKS_WRONG], { database, now })).toMatchObject([
        { level: 'ok', remedy: null },
      ]);

      const [one, other] = (await database
        .prepare('select * from price_block where month = ? order by lowest')
        .all(month)) as [SqlRow, SqlRow];
      const isKey = BLOCK_KEY.map((column) => `${column} = ?`).join(' and ');
      const keyOf = (row: SqlRow) => BLOCK_KEY.map((column) => row[column] ?? 0);
      await database
        .prepare(`update price_block set cells = ? where ${isKey}`)
        .run(other.cells ?? null, ...keyOf(one));
      await database.prepare(`delete from price_block where ${isKey}`).run(...keyOf(other));
      // No package has this number of nights.
      const columns = Object.keys(one);
      await database
        .prepare(
          `insert into price_block (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        )
        .run(...Object.values({ ...one, nights: 99 }));
      expect(await findingsOf([PRICE_BLOCKS_WRONG], { database, now })).toMatchObject([
        {
          level: 'bad',
          summary: expect.stringMatching(/: \d{4}-\d\d: 3 of \d+\. /),
          remedy: expect.stringContaining('npm run prices:rebuild'),
        },
      ]);

      const mended: [number, number][] = [];
      await rebuildPriceBlocks(database, (at, { wrong }) => mended.push([at, wrong]));
      expect(mended.filter(([, wrong]) => wrong > 0)).toEqual([[month, 3]]);
      await expectEqualBlocks(database);
      expect(await findingsOf([PRICE_BLOCKS_WRONG], { database, now })).toMatchObject([{ level: 'ok' }]);
    });

    it('that have impossible bytes fail writes and removals that would change them, until they are rebuilt', async () => {
      const reprice = () =>
        database.write('records', (tx) =>
          write(
            tx,
            smallOffers().map((offer) => offer.with(OFFER.price, 99_999) as unknown as OfferRow),
          ),
        );
      const remove = () => database.write('records', async (tx) => removeOffersOf(tx, 1, PRICE_RUNS));
      await database.write('records', async (tx) => {
        await removeAllOffers(tx);
        await write(tx, smallOffers());
      });
      const before = (await offersIn(database)).toSorted(byKey);
      await database
        .prepare('update price_block set cells = ?')
        .run(Buffer.from('01000000008084af5f00', 'hex'));
      for (const change of [reprice, remove]) {
        await expect(change).rejects.toThrow(
          /The cells of the price_block with party .* npm run prices:rebuild/,
        );
        expect((await offersIn(database)).toSorted(byKey)).toEqual(before);
      }
      await rebuildPriceBlocks(database, () => {});
      await reprice();
      await remove();
      await expectEqualBlocks(database);
    });

    it('are read only where departures are removed', async () => {
      const later = FIRST_DAY + 90;
      const shifted = smallOffers().map(
        (offer) => offer.with(OFFER.departureDay, offer[OFFER.departureDay] + 90) as unknown as OfferRow,
      );
      await database.write('records', async (tx) => {
        await removeAllOffers(tx);
        await write(tx, [...smallOffers(), ...shifted].sort(byKey));
      });
      await database
        .prepare('update price_block set cells = ? where month >= ?')
        .run(Buffer.from('01000000008084af5f00', 'hex'), monthOfDay(later));
      const days = [...new Set(smallOffers().map((offer) => offer[OFFER.departureDay]))].sort(
        (a, b) => a - b,
      );
      await database.write('records', async (tx) => removeOffersBefore(tx, days[1] ?? 0, null));
      expect((await offersIn(database))[0]?.[OFFER.departureDay]).toBe(days[1]);
      await rebuildPriceBlocks(database, () => {});
      await expectEqualBlocks(database);
    });
  });
}

async function write(tx: SqlTransaction, rows: readonly OfferRow[]): Promise<void> {
  const offers = await offerTable(tx, { runs: null });
  await offers.write(rows);
  await offers.writeBlocks();
}

async function apply(database: SqlDatabase, change: Change): Promise<void> {
  if (change.kind === 'fill') {
    await database.exec('delete from price_block');
    return fillBlocks(database);
  }
  await database.write('records', async (tx) => {
    if (change.kind === 'write') await write(tx, change.offers);
    else if (change.kind === 'remove-before') await removeOffersBefore(tx, change.day, null);
    else if (change.kind === 'remove-provider') await removeOffersOf(tx, change.provider, PRICE_RUNS);
    else {
      const keys = (await offersIn(tx)).filter((_, nth) => nth % change.share === 0);
      const offers = await offerTable(tx, { runs: null });
      await offers.remove(keys.map((offer) => offer.slice(0, OFFER.price) as unknown as OfferKey));
      await offers.writeBlocks();
    }
  });
}

async function expectEqualBlocks(database: SqlDatabase): Promise<void> {
  const expected = expectedBlocks(await offersIn(database));
  const held = await database
    .prepare(`select ${BLOCK_KEY.join(', ')}, lowest, lowest_day, expires_at, cells, hotels from price_block`)
    .rows();
  expect(held.map((row) => row.slice(0, BLOCK_KEY.length).join()).toSorted()).toEqual(
    [...expected.keys()].toSorted(),
  );
  for (const row of held) {
    const [price, day, expiresAt, bytes, hotels] = row.slice(BLOCK_KEY.length);
    const block = decodeBlock(bytes as BlockBytes, ANY_KEY);
    const wanted = expected.get(row.slice(0, BLOCK_KEY.length).join());
    expect(block.cells).toEqual(wanted?.cells);
    expect({ price, day }).toEqual(lowestOf(block));
    expect(hotelsIn(hotels as HotelBytes)).toEqual(expectedHotels(wanted?.cells ?? []));
    expect(expiresAt).toBe(earliestExpiry(block));
    // Expiries may be wider than the offers' after a provider was removed. Searches then read the offers.
    for (const [day, { first, last }] of wanted?.expiries ?? []) {
      const bounds = block.expiries.get(day) ?? { first: NEVER, last: NEVER };
      expect(bounds.first).toBeLessThanOrEqual(first);
      expect(bounds.last).toBeGreaterThanOrEqual(last);
    }
  }
}

/** A hotel's lowest price, and the first day with it. */
type Hotel = Pick<PriceCell, 'hotel' | 'low' | 'day'>;

function hotelsIn(bytes: HotelBytes): Hotel[] {
  const hotels: Hotel[] = [];
  const cursor = new HotelCursor();
  cursor.open(bytes, ANY_KEY);
  while (cursor.next()) hotels.push({ hotel: cursor.hotel, low: cursor.low, day: cursor.day });
  return hotels;
}

function expectedHotels(cells: readonly PriceCell[]): Hotel[] {
  return [...Map.groupBy(cells, ({ hotel }) => hotel)].map(([hotel, held]) => {
    const low = Math.min(...held.map((cell) => cell.low));
    return { hotel, low, day: Math.min(...held.filter((cell) => cell.low === low).map(({ day }) => day)) };
  });
}

async function offersIn(database: SqlSession): Promise<OfferRow[]> {
  return (await database
    .prepare(`select ${OFFER_COLUMNS.join(', ')} from offer order by departure_day, nights, party, hotel`)
    .rows()) as unknown as OfferRow[];
}

/** All blocks by key, calculated from the offers without the product's code. */
function expectedBlocks(offers: readonly OfferRow[]): Map<string, PriceBlock> {
  const keyOf = ([day, nights, party, country, region, resort, airport]: OfferRow) =>
    [party, nights, monthOfDay(day), airport, country, region, resort].join();
  return new Map(
    [...Map.groupBy(offers, keyOf)].map(([key, held]) => [
      key,
      { cells: expectedCells(held), expiries: expectedExpiries(held) },
    ]),
  );
}

function dayIndex(offer: OfferRow): number {
  return new Date(offer[OFFER.departureDay] * 86_400_000).getUTCDate() - 1;
}

function expectedCells(offers: readonly OfferRow[]): PriceCell[] {
  const columns = [OFFER.hotel, OFFER.board, OFFER.provider, OFFER.halfStars, OFFER.departureDay];
  const groups = Map.groupBy(offers, (offer) => columns.map((column) => offer[column]).join());
  return [...groups.values()]
    .toSorted(([one], [other]) => {
      const difference = columns.map((column) => Number(one?.[column]) - Number(other?.[column]));
      return difference.find((value) => value !== 0) ?? 0;
    })
    .flatMap((held) => {
      const [first] = held;
      if (first === undefined) return [];
      const [, , , , , , , hotel, board, , provider] = first;
      const prices = held.map((offer) => totalPrice(offer));
      const [low, high] = [Math.min(...prices), Math.max(...prices)];
      return [{ hotel, board, provider, halfStars: first[OFFER.halfStars], day: dayIndex(first), low, high }];
    });
}

function expectedExpiries(offers: readonly OfferRow[]): PriceBlock['expiries'] {
  return new Map(
    [...Map.groupBy(offers, dayIndex)].map(([day, held]) => {
      const expiries = held.map((offer) => {
        const departure = offer[OFFER.departureDay] * 1_440;
        return offer[OFFER.expiresAt] >= departure ? NEVER : offer[OFFER.expiresAt];
      });
      return [day, { first: Math.min(...expiries), last: Math.max(...expiries) }];
    }),
  );
}

describe('The bytes of a price block', () => {
  it("give each hotel's lowest price and its first day", () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        expect(hotelsIn(encodeHotels(block))).toEqual(expectedHotels(block.cells));
      }),
      { numRuns: 300 },
    );
  });

  it('decode to the same cells and expiries', () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const { cells, expiries } = decodeBlock(encodeBlock(block), ANY_KEY);
        expect(cells).toEqual(block.cells);
        const finite = [...block.expiries].filter(([, { first }]) => first !== NEVER);
        expect([...expiries].toSorted(([one], [other]) => one - other)).toEqual(
          finite.toSorted(([one], [other]) => one - other),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("give an entry's hotel and lowest price, whether or not its other fields are read", () => {
    fc.assert(
      fc.property(anyBlock, fc.array(fc.boolean()), (block, reads) => {
        const entries = Map.groupBy(block.cells, ({ hotel, board, provider, halfStars }) =>
          [hotel, board, provider, halfStars].join(),
        );
        const cursor = new BlockCursor();
        cursor.open(encodeBlock(block), ANY_KEY);
        const found: [hotel: number, low: number][] = [];
        for (let nth = 0; cursor.next(); nth += 1) {
          found.push([cursor.hotel, cursor.low]);
          if (reads[nth] !== true) continue;
          cursor.read();
          expect(cursor.lowest(WHOLE_MONTH)).toBe(cursor.low);
        }
        expect(found).toEqual(
          [...entries.values()].map((cells) => [cells[0]?.hotel, Math.min(...cells.map(({ low }) => low))]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('can be read to their end even if they are impossible, with an error or with valid cells', () => {
    const anyDamage = anyBlock.chain((block) => changed(encodeBlock(block)));
    fc.assert(
      fc.property(fc.oneof(anyBytes, anyDamage), fc.boolean(), (bytes, reads) => {
        const cursor = new BlockCursor();
        const outcome = endOf(bytes, () => {
          cursor.open(bytes, ANY_KEY);
          return () => {
            if (!cursor.next()) return false;
            expect(cursor.hotel).toBeLessThan(2 ** 31);
            if (reads) cursor.read();
            return true;
          };
        });
        if (outcome !== 'an end') expect(outcome).toMatch(damageOf('cells'));
        else if (reads) {
          for (const { day, hotel } of decodeBlock(bytes, ANY_KEY).cells) {
            expect([day, hotel]).toEqual([expect.toSatisfy(isDay), expect.toSatisfy(Number.isInteger)]);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of hotels can also be read to their end if they are impossible', () => {
    const anyDamage = anyBlock.chain((block) => changed(encodeHotels(block)));
    fc.assert(
      fc.property(fc.oneof(anyBytes, anyDamage), (bytes) => {
        const cursor = new HotelCursor();
        const outcome = endOf(bytes, () => {
          cursor.open(bytes, ANY_KEY);
          return () => cursor.next() && isDay(cursor.day) && cursor.hotel < 2 ** 31;
        });
        if (outcome !== 'an end') expect(outcome).toMatch(damageOf('hotels'));
      }),
      { numRuns: 2_000 },
    );
  });
});

/**
 * Random bytes. Some begin like a block: with the width of a price, the lowest price and the number of
 * entries.
 */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 600, size: 'max' }),
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 0x81, 0x84), fc.uint8Array({ maxLength: 600, size: 'max' }))
    .map(([head, rest]) => Uint8Array.of(head, 0, 0, 0, 0, ...rest)),
);

/** Bytes of which a few are replaced, or which are cut short. */
function changed(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.nat({ max: bytes.length - 1 }),
    byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 0x7f, 0x80, 0xff)),
  });
  const others = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const copy = bytes.slice();
    for (const { at, byte } of changes) copy[at] = byte;
    return copy;
  });
  const shorter = fc.nat({ max: bytes.length - 1 }).map((length) => bytes.slice(0, length));
  return fc.oneof({ weight: 3, arbitrary: others }, shorter);
}

/** How reading ends. Entries that outnumber the bytes mean that it never ends. */
function endOf(bytes: Uint8Array, open: () => () => boolean): string {
  try {
    const next = open();
    for (let entries = 0; next(); entries += 1) if (entries > bytes.length) return 'no end';
    return 'an end';
  } catch (error) {
    return String(error);
  }
}

function damageOf(column: string): RegExp {
  return new RegExp(
    `^Error: The ${column} of the price_block with party 1, .*, resort 1 are damaged. Run npm run prices:rebuild`,
  );
}

function isDay(day: number): boolean {
  return Number.isInteger(day) && day >= 0 && day <= 30;
}

const anyBlock = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 30 }),
      hotel: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
      board: fc.integer({ min: 1, max: 300 }),
      provider: fc.integer({ min: 1, max: 300 }),
      halfStars: fc.integer({ min: 0, max: 14 }),
      price: fc.oneof(fc.integer({ min: 50_000, max: 50_200 }), fc.integer({ min: 1, max: 2 ** 25 - 1 })),
      expiresAt: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    }),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .map((offers) =>
    blockOfOffers(
      ANY_KEY,
      offers.map(({ day, hotel, board, provider, halfStars, price, expiresAt }) => [
        FIRST_OF_MONTH + day,
        hotel,
        board,
        provider,
        halfStars,
        price,
        expiresAt,
      ]),
    ),
  );

/** A block's key in this month. */
const ANY_KEY: BlockKey = [1, 7, 700, 1, 1, 1, 1];

/** The first of May 2028, which is month 700 since 1970. */
const FIRST_OF_MONTH = Date.UTC(1970, 700, 1) / 86_400_000;
