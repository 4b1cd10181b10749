import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const provider = (code: string, hotelCodes: 'own' | 'shared') => ({
  code,
  name: code,
  linkHosts: ['www.sunward.example'],
  photoHosts: ['img.sunward.example'],
  hotelCodes,
});

const PROVIDERS = {
  providers: [provider('SUNW', 'own'), ...['ONE', 'TWO', 'THREE'].map((code) => provider(code, 'shared'))],
};

const UNKNOWN = {
  StarRating: undefined,
  ConsumerRating: undefined,
  Latitude: undefined,
  Longitude: undefined,
};
const KNOWN = { StarRating: 4.5, ConsumerRating: 8.2, Latitude: 38.54, Longitude: -0.13 };

describe.each(ALL_STORE_KINDS)('The hotels of feeds in the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind, PROVIDERS);
  });
  afterEach(() => site.close());

  /** Imports a feed. Each change of the item is a package. */
  const feed = (code: string, ...changes: Readonly<Record<string, unknown>>[]) =>
    site.run(
      ['import', '-', '--provider', code, '--accept'],
      ndjson(
        changes.map((change, nth) =>
          feedItem({ Brand: code, Hotel: undefined, HotelName: 'Sol', Duration: nth + 4, ...change }),
        ),
      ),
    );
  const hotel = async () =>
    (
      await site.ask('select name, half_stars, consumer_rating, latitude, longitude from hotel order by code')
    )[0];
  const stars = async () => (await site.ask('select half_stars from offer order by provider, nights')).flat();

  it('have the photos of the first line that has any on the provider’s hosts', async () => {
    const at = (name: string) => `https://img.sunward.example/${name}.jpg`;
    const photos = async () => (await site.ask('select photos from hotel')).flat();
    const elsewhere = 'https://elsewhere.example/a.jpg';
    await feed(
      'SUNW',
      {},
      { HotelImages: elsewhere },
      { HotelImages: [at('a'), elsewhere, at('a'), at('b')] },
    );
    expect(await photos()).toEqual([`${at('a')} ${at('b')}`]);
    await feed('SUNW', {});
    expect(await photos()).toEqual([`${at('a')} ${at('b')}`]);
    await feed('SUNW', { HotelImages: `${at('c')},${at('d?x=1,2')} | ${at('e')} javascript:alert(1)` });
    expect(await photos()).toEqual([`${at('c')} ${at('d?x=1,2')} ${at('e')}`]);
    const { exit } = await feed('SUNW', { HotelImages: 'none' }, { Hotel: { HotelImages: [at('f')] } });
    expect([exit, await photos()]).toEqual([0, [at('f')]]);
  });

  it('have the texts of the first line that has each, changed by a later feed', async () => {
    const texts = async () => await site.ask('select facilities, description, child_prices from hotel');
    const about = { HotelFacilities: 'Pool, Lift', HotelDescription: 'Quiet.' };
    await feed('SUNW', {}, about, { HotelFacilities: ['Spa'], ChildPrices: 'Half price.' });
    expect(await texts()).toEqual([['Pool\nLift', 'Quiet.', 'Half price.']]);
    await feed('SUNW', {}, { ...about, HotelDescription: 'Lively.' }, {});
    expect(await texts()).toEqual([['Pool\nLift', 'Lively.', 'Half price.']]);
    const { out } = await feed('SUNW', {}, { Hotel: { HotelDescription: 3 } }, {});
    expect(out).toContain('1 x HotelDescription is not text in UTF-8');
  });

  it('have the stars, rating and position that only a later line contains', async () => {
    const { exit, out } = await feed('SUNW', UNKNOWN, { ...UNKNOWN, StarRating: 4.5 }, UNKNOWN, KNOWN);
    expect([exit, out]).toEqual([0, expect.stringContaining('4 rows; 4 packages.')]);
    expect(out).not.toContain('please check');
    expect(await hotel()).toEqual(['Sol', 9, 8.2, 38.54, -0.13]);
    expect(await stars()).toEqual([9, 9, 9, 9]);
    const again = await feed('SUNW', UNKNOWN, { ...UNKNOWN, StarRating: 4.5 }, UNKNOWN, KNOWN);
    expect(again.out).toContain('The store is up to date; nothing was changed.');
  });

  it('keep what the latest feed omits', async () => {
    await feed('SUNW', KNOWN, KNOWN);
    const { out } = await feed('SUNW', UNKNOWN, UNKNOWN);
    expect(out).toContain('The store is up to date; nothing was changed.');
    expect(await hotel()).toEqual(['Sol', 9, 8.2, 38.54, -0.13]);
    expect(await stars()).toEqual([9, 9]);
  });

  it('change with the latest feed, even by its later lines', async () => {
    await feed('SUNW', KNOWN, KNOWN, KNOWN);
    const other = { StarRating: 3, ConsumerRating: 6, Latitude: 38.5, Longitude: -0.1 };
    const { out } = await feed(
      'SUNW',
      { ...UNKNOWN, HotelName: 'Luna' },
      { ...other, HotelName: 'Luna' },
      UNKNOWN,
    );
    expect(out).toContain('3 rows, 1 refused; 2 packages.');
    expect(out).toContain('1 x HotelName differs from an earlier line for this hotel: line 3 "Sol"');
    expect(out).toContain('1 x HotelName replaces the hotel’s earlier one: line 1 "Luna"');
    expect(out).toContain('1 x StarRating replaces the hotel’s earlier one: line 2 "3"');
    expect(await hotel()).toEqual(['Luna', 6, 6, 38.5, -0.1]);
    expect(await stars()).toEqual([6, 6]);
  });

  it('move to another resort with the latest feed', async () => {
    await feed('SUNW', KNOWN);
    const { exit } = await feed('SUNW', { ...KNOWN, HolidayResort: 'Albir' });
    expect(exit).toBe(0);
    expect(await site.ask('select resort.name from hotel join resort on resort.id = hotel.resort')).toEqual([
      ['Albir'],
    ]);
    const { out } = await feed('SUNW', { ...KNOWN, HolidayResort: 'Albir' });
    expect(out).toContain('The store is up to date; nothing was changed.');
  });

  it('are not described by a rejected line', async () => {
    const { out } = await feed(
      'SUNW',
      UNKNOWN,
      { ...KNOWN, HotelName: 'Luna' },
      { ...KNOWN, HolidayResort: 'Albir' },
    );
    expect(out).toContain('3 rows, 2 refused; 1 packages.');
    expect(await hotel()).toEqual(['Sol', 0, null, null, null]);
  });

  it("have the feed's first rating; a line with a different one is reported", async () => {
    const { out } = await feed('SUNW', KNOWN, { ...KNOWN, ConsumerRating: 6.1 }, UNKNOWN);
    expect(out).toContain('3 rows; 3 packages.');
    expect(out).toContain(
      '1 x ConsumerRating differs from an earlier line for this hotel, which is kept: line 2 "6.1"',
    );
    expect((await hotel())?.[2]).toBe(8.2);
  });

  describe('with a shared code', () => {
    it('are described by the first provider, which can correct them; others fill gaps', async () => {
      await feed('ONE', { ...UNKNOWN, StarRating: 4 });
      const other = await feed('TWO', { ...KNOWN, HotelName: 'Luna', StarRating: 5 });
      expect(other.out).toContain(
        '1 x HotelName differs from another provider’s for this hotel, which is kept: line 1 "Luna"',
      );
      expect(other.out).toContain('1 x StarRating differs from another provider’s');
      expect(await hotel()).toEqual(['Sol', 8, 8.2, 38.54, -0.13]);
      expect(await stars()).toEqual([8, 8]);

      const rated = await feed('THREE', { ...UNKNOWN, ConsumerRating: 7 });
      expect(rated.out).toContain(
        '1 x ConsumerRating differs from another provider’s for this hotel, which is kept',
      );

      const corrected = await feed('ONE', {
        ...UNKNOWN,
        HotelName: 'Solar',
        StarRating: 4.5,
        ConsumerRating: 8,
      });
      expect(corrected.out).toContain('1 x HotelName replaces the hotel’s earlier one: line 1 "Solar"');
      expect(await hotel()).toEqual(['Solar', 9, 8, 38.54, -0.13]);
      const same = await feed('TWO', { ...KNOWN, HotelName: 'Luna', StarRating: 5 });
      expect(same.out).toContain('1 changed (0 in price)');
      expect(await stars()).toEqual([9, 9, 8]);
    });

    it.each([
      ['its feed has them no more', () => feed('ONE', { HotelIdentifierCode: 'SOL2' })],
      ['it is removed', () => site.run(['remove', 'ONE', '--yes'])],
    ])('are described by the next feed if the first provider has left: %s', async (_what, leave) => {
      await feed('ONE', KNOWN);
      await feed('TWO', { ...KNOWN, HotelName: 'Luna' });
      expect((await leave()).exit).toBe(0);
      const { out } = await feed('TWO', { ...KNOWN, HotelName: 'Luna' });
      expect(out).toContain('1 x HotelName replaces the hotel’s earlier one: line 1 "Luna"');
      expect((await hotel())?.[0]).toBe('Luna');
    });

    it('stay in their resort, and are not described by a line with a different one', async () => {
      await feed('ONE', KNOWN);
      const moved = await feed('ONE', { ...KNOWN, HotelName: 'Luna', HolidayResort: 'Albir' }, KNOWN);
      expect(moved.out).toContain('1 x HotelIdentifierCode is a hotel that is in another resort');
      expect((await hotel())?.[0]).toBe('Sol');
    });
  });

  it('sell packages without a room description separately from a room called Standard', async () => {
    const rooms = ['Standard', undefined, 'STANDARD!', '★', '☆'];
    const { out } = await feed(
      'SUNW',
      ...rooms.map((RoomTypeDescription, nth) => ({
        RoomTypeDescription,
        Duration: 7,
        TotalPrice: 900 + nth,
      })),
    );
    expect(out).toContain('5 rows, 1 duplicates (the cheapest is kept); 4 packages.');
    const sold = await site.ask(
      'select offer.price, room.description from offer join room on room.id = offer.room order by price',
    );
    expect(sold).toEqual([
      [90_000, 'Standard'],
      [90_100, ''],
      [90_300, '★'],
      [90_400, '☆'],
    ]);
  });
});
