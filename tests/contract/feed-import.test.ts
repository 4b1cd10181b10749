import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayNumber } from '../../domain/calendar-date.ts';
import type { ChargeRule } from '../../domain/local-charges.ts';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import { takeLease } from '../../server/feed/write/import-lease.ts';
import { applyCharges } from '../../server/ingest/apply-charges.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { clearSample } from '../../server/sample/clear-sample.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { expectTrueBlocks } from '../fixtures/expect-true-blocks.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';

const INCLUSIVE = { code: 'SUNW', name: 'Sunward' };

const EXAMPLES = join(import.meta.dirname, '../../docs/examples/feeds');

describe.each(ALL_STORE_KINDS)('Importing feeds into the %s store', (kind) => {
  let site: FeedSite;
  /** The name on the lease of an import of SUNW. In PostgreSQL, each provider has its own lease. */
  const holder = 'SUNW';
  beforeEach(async () => {
    site = await makeFeedSite(kind);
  });
  afterEach(() => site.close());

  const sunward = (items: readonly unknown[], ...words: string[]) =>
    site.run(['import', '-', '--provider', 'SUNW', ...words], ndjson(items));

  it('imports every row of the shipped examples, with the same result from JSON and CSV', async () => {
    const first = await site.run(['import', join(EXAMPLES, 'items.ndjson'), '--provider', 'SUNW']);
    expect(first).toEqual({ exit: 0, out: expect.stringContaining('SUNW: 18 rows; 18 packages.') });
    const second = await site.run(['import', join(EXAMPLES, 'items.csv'), '--provider', 'SUNW']);
    expect(second).toEqual({
      exit: 0,
      out: expect.stringContaining('The store is up to date; nothing was changed.'),
    });
    const mapping = ['--mapping', join(EXAMPLES, 'mapping.json')];
    const third = await site.run(['import', join(EXAMPLES, 'mapped.csv'), '--provider', 'BAYS', ...mapping]);
    expect(third).toEqual({ exit: 0, out: expect.stringContaining('BAYS: 12 rows; 12 packages.') });
    const status = await site.run(['status']);
    expect(status.out).toContain('SUNW: 18 packages from items-json');
    expect(status.out).toContain('MADE: no feed has been imported');
  });

  it('defaults to the only provider, except for remove', async () => {
    expect(await site.run(['import', '-'], ndjson([feedItem()]))).toEqual({
      exit: 2,
      out: expect.stringContaining('The provider is missing: --provider SUNW or BAYS or TEMP or MADE.'),
    });
    const providers = [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] }];
    const small = await makeFeedSite(kind, { providers });
    expect(await small.run(['import', '-'], ndjson([feedItem()]))).toMatchObject({ exit: 0 });
    expect(await small.run(['remove'])).toMatchObject({ exit: 2 });
    expect(await small.offers()).toHaveLength(1);
    await small.close();
  });

  it('changes nothing on the second import, in any order of rows', async () => {
    const items = [
      feedItem(),
      feedItem({ BoardBasis: 'AI', TotalPrice: 999 }),
      feedItem({ HotelIdentifierCode: 'B' }),
    ];
    await sunward(items);
    const before = await site.everything();
    site.setNow(FEED_NOW + 3_600_000);
    const { exit, out } = await sunward(items.toReversed());
    expect([exit, out]).toEqual([
      0,
      expect.stringContaining('The store is up to date; nothing was changed.'),
    ]);
    expect(await site.everything()).toEqual(before);
  });

  it('writes changes with their history, removes missing packages, and keeps other providers’ packages', async () => {
    await site.run(
      ['import', '-', '--provider', 'TEMP'],
      ndjson([feedItem({ Brand: 'TEMP', DeeplinkUrl: undefined })]),
    );
    await sunward([
      feedItem(),
      feedItem({ HotelIdentifierCode: 'B' }),
      feedItem({ HotelIdentifierCode: 'C' }),
      feedItem({ HotelIdentifierCode: 'D' }),
    ]);
    site.setNow(FEED_NOW + 3_600_000);
    const { out } = await sunward([
      feedItem({ TotalPrice: 850 }),
      feedItem({ HotelIdentifierCode: 'C' }),
      feedItem({ HotelIdentifierCode: 'D', LuggageIncluded: 1 }),
      feedItem({ HotelIdentifierCode: 'E', HotelName: 'New Hotel' }),
    ]);
    expect(out).toContain('1 new, 2 changed (1 in price), 1 removed, 1 unchanged.');
    expect(
      await site.ask(`select hotel.code, price from offer join hotel on hotel.id = hotel join provider on provider.id = offer.provider
        where provider.code = 'SUNW' order by 1`),
    ).toEqual([
      ['C', 89_950],
      ['D', 89_950],
      ['E', 89_950],
      ['SOL1', 85_000],
    ]);
    expect(
      await site.ask(
        "select count(*) from offer join provider on provider.id = provider where code = 'TEMP'",
      ),
    ).toEqual([[1]]);
    const history = `select price from price_observation join hotel on hotel.id = price_observation.hotel
      join provider on provider.id = price_observation.provider
      where hotel.code = 'SOL1' and provider.code = 'SUNW' order by seen_at`;
    expect(await site.ask(history)).toEqual([[89_950]]);
  });

  it('queues alerts for a price drop within the import', async () => {
    await sunward([feedItem()]);
    await watch(site);
    await sunward([feedItem({ TotalPrice: 890 })]);
    expect(await site.ask('select count(*) from alert_message')).toEqual([[0]]);
    await sunward([feedItem({ TotalPrice: 700 })]);
    expect(await site.ask('select kind, state from alert_message')).toEqual([['drop', 'queued']]);
  });

  describe('A watched package that left the feed', () => {
    const other = feedItem({ HotelIdentifierCode: 'B', DepartureDate: '2027-09-01' });
    const drops = () => site.ask('select kind, state from alert_message');
    const kept = () => site.ask('select price from alert_gone_price');
    const prices = () =>
      site.ask("select price from offer join hotel on hotel.id = offer.hotel where hotel.code = 'SOL1'");
    beforeEach(async () => {
      await sunward([feedItem()]);
      await watch(site);
    });

    it('is a price drop if it returns at a lower price', async () => {
      await sunward([other], '--accept');
      expect(await kept()).toEqual([[89_950]]);
      await sunward([feedItem({ TotalPrice: 629.65 }), other]);
      expect(await drops()).toEqual([['drop', 'queued']]);
      expect(await kept()).toEqual([]);
    });

    it('is a price drop even after its provider was removed', async () => {
      await sunward([feedItem(), other]);
      expect(await site.run(['remove', 'SUNW', '--yes'])).toMatchObject({ exit: 0 });
      expect(await kept()).toEqual([[89_950]]);
      await sunward([feedItem({ TotalPrice: 629.65 })]);
      expect(await drops()).toEqual([['drop', 'queued']]);
    });

    it('is no price drop if it returns at its price, at a higher one, or after 14 days', async () => {
      for (const price of [899.5, 990]) {
        await sunward([other], '--accept');
        await sunward([feedItem({ TotalPrice: price }), other]);
      }
      await sunward([other], '--accept');
      await site.database().exec('update alert_gone_price set gone_at = gone_at - 1209600001');
      await sunward([feedItem({ TotalPrice: 600 }), other]);
      expect([await prices(), await drops()]).toEqual([[[60_000]], []]);
    });

    it('is no price drop if it rises after it has returned after 14 days', async () => {
      await sunward([feedItem({ TotalPrice: 890 }), other]);
      await sunward([other], '--accept');
      await site.database().exec('update alert_gone_price set gone_at = gone_at - 1209600001');
      await sunward([feedItem({ TotalPrice: 600 }), other]);
      expect(await prices()).toEqual([[60_000]]);
      await sunward([feedItem({ TotalPrice: 700 }), other]);
      expect(await drops()).toEqual([]);
      await sunward([feedItem({ TotalPrice: 650 }), other]);
      expect(await drops()).toEqual([['drop', 'queued']]);
    });

    it('leaves no record if it has no watches', async () => {
      await site.database().exec(`update alert_watch set state = 'ended'`);
      await sunward([other], '--accept');
      expect(await kept()).toEqual([]);
    });
  });

  it('takes charges from the table, unless the feed states them or the provider’s prices include them', async () => {
    const rule = {
      ...SMALL_CHARGES.rules[0],
      stars: [0, 5],
      valid: ['2026-01-01', '2028-12-31'],
    } as ChargeRule;
    await applyCharges(site.address, { ...SMALL_CHARGES, rules: [rule] });
    const charges = async () => (await site.offers()).map((offer) => offer[OFFER.localCharge]);
    await sunward([feedItem({ HolidayCountry: 'Spain', NumberOfAdults: 2, Duration: 7 })]);
    // 11 euros, 2 adults and 5 nights at 1.10: 100 pounds
    expect(await charges()).toEqual([2 * 10_000]);
    await sunward([feedItem({ HolidayCountry: 'Spain', LocalCharges: 34.5 })]);
    expect(await charges()).toEqual([2 * 3_450 + 1]);
    expect(await sunward([feedItem({ LocalCharges: -1 })])).toMatchObject({ exit: 1 });
    await expectTrueBlocks(site.database());

    const inclusive = { ...INCLUSIVE, linkHosts: ['www.sunward.example'], pricesIncludeLocalCharges: true };
    const other = await makeFeedSite(kind, { providers: [inclusive] });
    await applyCharges(other.address, { ...SMALL_CHARGES, rules: [rule] });
    await other.run(['import', '-', '--provider', 'SUNW'], ndjson([feedItem({ HolidayCountry: 'Spain' })]));
    expect((await other.offers()).map((offer) => offer[OFFER.localCharge])).toEqual([1]);
    await other.close();
  });

  it('keeps the cheapest of duplicate lines, and reports the others', async () => {
    const same = [900, 850, 870, 850].map((TotalPrice) => feedItem({ TotalPrice }));
    const { out } = await sunward(same);
    expect(out).toContain('4 rows, 3 duplicates (the cheapest is kept); 1 packages.');
    expect(out).toMatch(/3 x The row duplicates a cheaper or earlier line: line 4 "line 2", line 3 "line 2"/);
    expect((await site.offers()).map((offer) => offer[OFFER.price])).toEqual([85_000]);
  });

  it('holds a feed that shrinks, moves prices or is mostly rejected, until it is accepted', async () => {
    const items = (count: number, price: number) =>
      Array.from({ length: count }, (_, index) =>
        feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice: price + index }),
      );
    await sunward(items(20, 900));
    const before = await site.everything();
    const broken = [...items(20, 900), ...Array.from({ length: 9 }, () => feedItem({ TotalPrice: 0 }))];
    for (const [feed, words] of [
      [items(13, 900), '35% fewer packages: 13, was 20'],
      [items(20, 1_300), 'median price up 44%: £1309.00, was £909.00'],
      [items(20, 520), 'median price down'],
      [broken, '31% of rows refused: 9 of 29'],
    ] as const) {
      const { exit, out } = await sunward(feed);
      expect([exit, out]).toEqual([3, expect.stringContaining(words)]);
      expect(await site.everything()).toEqual(before);
    }
    for (const feed of [items(14, 900), items(20, 1_150)]) {
      const { exit } = await site.run(['check', '-', '--provider', 'SUNW'], ndjson(feed));
      expect(exit).toBe(0);
      expect(await site.everything()).toEqual(before);
    }
    const { exit, out } = await sunward(items(13, 900), '--accept');
    expect([exit, out]).toEqual([0, expect.stringContaining('accepted, although')]);
    expect(await site.offers()).toHaveLength(13);
  });

  it('changes nothing when it only checks a feed with new names', async () => {
    await sunward([feedItem()]);
    const before = await site.everything();
    const feed = [feedItem(), feedItem({ HotelIdentifierCode: 'B', HolidayResort: 'Albir' })];
    const { out } = await site.run(['check', '-', '--provider', 'SUNW'], ndjson(feed));
    expect(out).toContain('Would be: 1 new, 0 changed (0 in price), 0 removed, 1 unchanged.');
    expect(await site.everything()).toEqual(before);
  });

  it('compares median prices without the duplicates that it drops', async () => {
    const at = (TotalPrice: number) =>
      Array.from({ length: 10 }, (_, index) => feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice }));
    await sunward(at(900));
    const { exit, out } = await sunward([...at(500), ...at(900), ...at(901)]);
    expect([exit, out]).toEqual([3, expect.stringContaining('median price down 44.4%: £500.00')]);
  });

  it('runs one import at a time; a killed one blocks others for two minutes', async () => {
    const held = await takeLease(site.database(), holder, () => FEED_NOW);
    const busy = await sunward([feedItem()]);
    expect([busy.exit, busy.out]).toEqual([
      4,
      expect.stringMatching(
        new RegExp(`Another import is running: ${holder}, since 09:00:00 UTC, process \\d+`),
      ),
    ]);
    expect(await site.offers()).toEqual([]);
    site.setNow(FEED_NOW + 121_000);
    const { exit } = await sunward([feedItem()]);
    expect(exit).toBe(0);
    if (held.kind !== 'lease') throw new Error('There was no lease');
    await expect(held.lease.check(site.database())).rejects.toThrow('another one took over');
    await held.lease.release();
    expect(await site.ask("select count(*) from note where name like 'feed.lease%'")).toEqual([[0]]);
  });

  it('exits with 4 and changes nothing while another import is running, for every command', async () => {
    await sunward([feedItem()]);
    const before = await site.everything();
    const held = await takeLease(site.database(), holder, () => FEED_NOW);
    for (const words of ['remove SUNW --yes', 'import - --provider SUNW', 'check - --provider SUNW']) {
      const { exit, out } = await site.run(words.split(' '), ndjson([feedItem({ TotalPrice: 850 })]));
      expect([exit, out]).toEqual([
        4,
        expect.stringMatching(new RegExp(`^Another import is running: ${holder}, since`)),
      ]);
    }
    if (held.kind !== 'lease') throw new Error('There was no lease');
    await held.lease.release();
    expect(await site.everything()).toEqual(before);
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(0);
  });

  it('exits with 4 if another program has locked the store, and names it if it is an import', async () => {
    await sunward([feedItem()]);
    const before = await site.everything();
    const other = await openDatabase(site.address);
    for (const words of ['remove SUNW --yes', 'import - --provider SUNW', 'check - --provider SUNW']) {
      const locked = await holdTransaction(other);
      const { exit, out } = await site.run(words.split(' '), ndjson([feedItem({ TotalPrice: 850 })]));
      await locked.rollback();
      expect([exit, out], words).toEqual([
        4,
        'Another program has locked the store; nothing was changed. Try again when it is done.',
      ]);
    }
    const held = await takeLease(other, holder, () => FEED_NOW);
    const locked = await holdTransaction(other);
    const busy = await sunward([feedItem()]);
    await locked.rollback();
    expect([busy.exit, busy.out]).toEqual([
      4,
      expect.stringContaining(`Another import is running: ${holder}`),
    ]);
    if (held.kind === 'lease') await held.lease.release();
    await other.close();
    expect(await site.everything()).toEqual(before);
  });

  it('exits with 4 if another import has taken over its lease', async () => {
    await sunward([feedItem()]);
    const before = await site.offers();
    const words = ['import', '-', '--provider', 'SUNW'];
    async function* slowFeed() {
      await takeLease(site.database(), holder, () => FEED_NOW + 500_000);
      yield ndjson([feedItem({ TotalPrice: 850 })]);
    }
    const { exit, out } = await site.run(words, slowFeed());
    expect([exit, out]).toEqual([4, expect.stringContaining('another one took over; nothing was changed')]);
    expect(await site.offers()).toEqual(before);
  });

  it('refuses to mix feeds with the sample inventory', async () => {
    await site.database().exec("insert into note (name, value) values ('sample.market', '1:1')");
    const refused = await sunward([feedItem()]);
    expect([refused.exit, refused.out]).toEqual([1, expect.stringContaining('npm run sample:clear')]);
    expect(await clearSample(site.database())).toBe(true);
    const { exit } = await sunward([feedItem()]);
    expect(exit).toBe(0);
    expect(await clearSample(site.database())).toBe(false);
    expect(await site.offers()).toHaveLength(1);
  });

  it('removes all packages of a provider, and of no other', async () => {
    await sunward([feedItem()]);
    await site.run(
      ['import', '-', '--provider', 'TEMP'],
      ndjson([feedItem({ Brand: 'TEMP', DeeplinkUrl: undefined })]),
    );
    expect(await site.run(['remove', 'SUNW', '--yes'])).toEqual({
      exit: 0,
      out: 'SUNW: 1 packages removed.',
    });
    expect(await site.offers()).toHaveLength(1);
    expect((await site.run(['status'])).out).toContain('SUNW: no feed has been imported');
  });

  it('removes departed packages of every provider', async () => {
    await sunward([feedItem({ DepartureDate: '2026-11-25' })]);
    site.setNow(Date.UTC(2026, 10, 26, 9));
    await site.run(
      ['import', '-', '--provider', 'TEMP'],
      ndjson([feedItem({ Brand: 'TEMP', DeeplinkUrl: undefined })]),
    );
    expect((await site.offers()).map(([day]) => day)).toEqual([dayNumber('2027-06-12')]);
  });

  it('has the packages of each provider’s last feed with their price blocks, and all prices ever seen', async () => {
    const row = fc.record({
      hotel: fc.constantFrom('A', 'B', 'C'),
      board: fc.constantFrom('AI', 'HB'),
      pounds: fc.integer({ min: 500, max: 520 }),
    });
    const feed = fc.record({
      provider: fc.constantFrom('SUNW', 'MADE'),
      rows: fc.array(row, { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(feed, { minLength: 1, maxLength: 5 }), async (feeds) => {
        const model = new Map<string, Map<string, number>>();
        let prices = new Map<string, Set<number>>();
        for (const [nth, { provider, rows }] of feeds.entries()) {
          site.setNow(FEED_NOW + nth * 3_600_000);
          const link = provider === 'SUNW' ? 'https://www.sunward.example/' : 'https://www.made.example/';
          const items = rows.map(({ hotel, board, pounds }) =>
            feedItem({
              Brand: provider,
              HotelIdentifierCode: hotel,
              BoardBasis: board,
              DepartureDate: board === 'AI' ? '2027-06-12' : '2027-07-03',
              TotalPrice: pounds,
              DeeplinkUrl: link,
            }),
          );
          const { exit, out } = await site.run(
            ['import', '-', '--provider', provider, '--accept'],
            ndjson(items),
          );
          expect(exit, out).toBe(0);
          const held = new Map<string, number>();
          for (const { hotel, board, pounds } of rows) {
            const key = `${provider} ${hotel} ${board}`;
            held.set(key, Math.min(held.get(key) ?? pounds, pounds));
          }
          model.set(provider, held);
          for (const [key, price] of held)
            prices = prices.set(key, new Set([...(prices.get(key) ?? []), price]));
          await expectTrueBlocks(site.database());
        }
        const named = `join hotel on hotel.id = t.hotel join board on board.id = t.board
          join provider on provider.id = t.provider order by 1, 2`;
        const name = "provider.code || ' ' || hotel.code || ' ' || board.code";
        const offers = await site.ask(`select ${name}, price / 100 from offer t ${named}`);
        expect(offers.map(String).toSorted()).toEqual(
          [...model.values()].flatMap((one) => [...one].map(String)).toSorted(),
        );
        const ended = 'select hotel, board, provider, price from price_observation';
        const current = 'select hotel, board, provider, price from offer';
        const observed = await site.ask(
          `select ${name}, price / 100 from (${ended} union ${current}) as t ${named}`,
        );
        expect(observed.map(String).toSorted()).toEqual(
          [...prices].flatMap(([key, all]) => [...all].map((price) => `${key},${price}`)).toSorted(),
        );
        for (const provider of ['SUNW', 'MADE']) await site.run(['remove', provider, '--yes']);
        for (const table of ['price_observation', 'feed_attempt'])
          await site.database().exec(`delete from ${table}`);
      }),
      { numRuns: kind === 'embedded' ? 25 : 5 },
    );
  });
});

/** Adds a watch for the only package in the store. */
async function watch(site: FeedSite): Promise<void> {
  const [offer] = await site.offers();
  if (offer === undefined) throw new Error('There is no package');
  const known = await packageLookup(site.database()).read(offer);
  await site
    .database()
    .prepare('insert into alert_contact (contact_key, contact_sealed, created_at) values (?, ?, 0)')
    .run('somebody', new Uint8Array(1));
  await site
    .database()
    .prepare(`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport,
      board, half_stars, departs_at, state, started, created_at)
      select id, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', 0, 0 from alert_contact`)
    .run(
      known.itemKey,
      resortKey(known),
      known.nights,
      known.party,
      dayNumber(known.departure),
      known.airport,
      known.board,
      known.halfStars,
      known.departsAt,
    );
}

describe('The shipped examples', () => {
  it('have the columns that affiliate networks publish', () => {
    const [header = ''] = readFileSync(join(EXAMPLES, 'mapped.csv'), 'utf8').split(/\r?\n/);
    for (const column of [
      'aw_product_id',
      'merchant_product_id',
      'product_name',
      'search_price',
      'custom1',
      'last_updated',
    ]) {
      expect(header.split(',')).toContain(column);
    }
  });
});
