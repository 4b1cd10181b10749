import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { parseItemKey } from '../../server/inventory/item-key.ts';
import { offerOf } from '../../server/inventory/offer.ts';
import { photoPaths } from '../../server/inventory/photo-path.ts';
import { readReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import { packageSearch } from '../../server/package-search/fields/search-packages.ts';
import { itemTexts } from '../../server/package-search/items/item-text.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { priceTokens } from '../../server/package-search/tokens/price-token.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';
import { wholeCatalogue } from '../fixtures/whole-catalogue.ts';

let site: FeedSite;
beforeEach(async () => {
  site = await makeFeedSite();
});
afterEach(() => site.close());

/** Imports a feed of one item, and returns its package as a search does and as the page parses it. */
async function answered(item: Record<string, unknown>, provider = 'SUNW') {
  const { exit, out } = await site.run(['import', '-', '--provider', provider], ndjson([item]));
  expect(exit, out).toBe(0);
  const catalogue = wholeCatalogue(await readReferenceTables(site.database()));
  const [offer] = await site.offers();
  if (offer === undefined) throw new Error('There is no package');
  const textOf = itemTexts(catalogue, priceTokens(Buffer.from('a key')));
  const raw = JSON.parse(textOf(offerOf(offer), 0)) as Record<string, unknown>;
  const read = parsePackageSearchItem(raw);
  if (read.kind === 'refused') throw new Error(read.reason);
  expect(await parseItemKey(read.item.ItemKey, catalogue)).toEqual(offer.slice(0, 11));
  return read.item;
}

describe('A package of a feed, as a search returns it', () => {
  it('has every field that the feed gave', async () => {
    const item = await answered(
      feedItem({
        ConsumerRating: 8.4,
        Latitude: 38.54,
        Longitude: -0.13,
        AdditionalData: { TotalPriceBeforeDiscount: 1_000 },
        FlightNumber_Outbound: 'SW101',
        FlightNumber_Inbound: 'SW102',
        Flight: JSON.stringify({
          DepartureDateTime_Outbound: '2027-06-12T06:30:00+01:00',
          ArrivalDateTime_Outbound: '2027-06-12T10:05:00+02:00',
          AirlineName_Outbound: 'Sunward Air',
          DepartureDateTime_Inbound: '2027-06-19T23:30:00+02:00',
          FlightDuration_Inbound: 9_300,
          AirlineName_Inbound: 'Sunward Air',
        }),
        LuggageIncluded: 2,
        NumberOfChildren: 1,
        Expiry: '2027-01-01T00:00:00Z',
      }),
    );
    expect(item).toMatchObject({
      TotalPrice: 899.5,
      HolidayCountry: 'Spain',
      HolidayRegion: 'Costa Blanca',
      HolidayResort: 'Benidorm',
      Hotel: {
        HotelName: 'Hotel Sol',
        StarRating: 4,
        ConsumerRating: 8.4,
        Latitude: 38.54,
        Longitude: -0.13,
      },
      Flight: {
        DepartureDateTime_Outbound: '2027-06-12T06:30:00+01:00',
        ArrivalDateTime_Outbound: '2027-06-12T10:05:00+02:00',
        ArrivalAirportCode_Outbound: 'ALC',
        AirlineName_Outbound: 'Sunward Air',
        FlightDuration_Outbound: 9_300,
        DepartureDateTime_Inbound: '2027-06-19T23:30:00+02:00',
        ArrivalDateTime_Inbound: '2027-06-20T01:05:00+01:00',
        ArrivalAirportCode_Inbound: 'LGW',
      },
      FlightNumber_Outbound: 'SW101',
      FlightNumber_Inbound: 'SW102',
      DepartureDate: '2027-06-12',
      Duration: 7,
      AdditionalData: { DeeplinkUrl: 'https://www.sunward.example/h/SOL1', TotalPriceBeforeDiscount: 1_000 },
      BoardBasis: 'HB',
      Brand: 'SUNW',
      DepartureAirportCode_Outbound: 'LGW',
      DepartureAirportCode_Inbound: 'ALC',
      HotelIdentifierCode: 'SOL1',
      NumberOfAdults: 2,
      NumberOfChildren: 1,
      NumberOfInfants: 0,
      LuggageIncluded: 2,
      RoomTypeDescription: 'Double room',
      Expiry: '2027-01-01T00:00:00.000Z',
    });
  });

  it('has unknown luggage if the feed does not say, and none if it says so', async () => {
    expect((await answered(feedItem({}))).LuggageIncluded).toBeNull();
    expect((await answered(feedItem({ LuggageIncluded: 0 }))).LuggageIncluded).toBe(0);
  });

  it.each<[way: string, date: string, departs: string, answeredAs: string]>([
    ['Outbound', '2027-10-31', '2027-10-31T01:30:00+01:00', '2027-10-31T01:30:00+01:00'],
    ['Outbound', '2027-10-31', '2027-10-31T01:30:00+00:00', '2027-10-31T01:30:00+00:00'],
    ['Outbound', '2027-10-31', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00+01:00'],
    ['Outbound', '2027-10-31', '2027-10-31T01:30:00Z', '2027-10-31T01:30:00+00:00'],
    ['Outbound', '2027-10-31', '2027-10-31T00:59:00+01:00', '2027-10-31T00:59:00+01:00'],
    ['Outbound', '2027-10-31', '2027-10-31T02:00:00+00:00', '2027-10-31T02:00:00+00:00'],
    ['Outbound', '2027-10-31', '2027-10-31T01:30:00', '2027-10-31T01:30:00+01:00'],
    ['Inbound', '2027-10-24', '2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+02:00'],
    ['Inbound', '2027-10-24', '2027-10-31T02:30:00+01:00', '2027-10-31T02:30:00+01:00'],
    // A flight after midnight, on the day after the last night.
    ['Inbound', '2027-10-23', '2027-10-31T02:30:00+01:00', '2027-10-31T02:30:00+01:00'],
    // The day on which clocks go forward.
    ['Outbound', '2027-03-28', '2027-03-28T00:59:00+00:00', '2027-03-28T00:59:00+00:00'],
    ['Outbound', '2027-03-28', '2027-03-28T01:00:00+00:00', '2027-03-28T02:00:00+01:00'],
    ['Outbound', '2027-03-28', '2027-03-28T02:00:00+01:00', '2027-03-28T02:00:00+01:00'],
    ['Outbound', '2027-03-28', '2027-03-28T01:30:00', '2027-03-28T02:30:00+01:00'],
    ['Inbound', '2027-03-21', '2027-03-28T03:00:00+02:00', '2027-03-28T03:00:00+02:00'],
  ])(
    'has the departure time of the feed, also while clocks change: %s on %s at %s',
    async (way, date, departs, as) => {
      const item = await answered(feedItem({ DepartureDate: date, [`DepartureDateTime_${way}`]: departs }));
      expect(item.Flight).toMatchObject({ [`DepartureDateTime_${way}`]: as });
      // Sorting by departure uses the local minute.
      if (way === 'Outbound') expect((await site.offers())[0]?.[14]).toBeLessThan(1_440);
    },
  );

  it.each([
    ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+02:00'],
    ['2027-10-31T02:30:00+01:00', '2027-10-31T02:30:00+01:00'],
  ])('has the feed’s arrival time, even in the hour that occurs twice: %s', async (arrives, as) => {
    const item = await answered(
      feedItem({
        DepartureDate: '2027-10-30',
        DepartureDateTime_Outbound: '2027-10-30T23:10:00+01:00',
        ArrivalDateTime_Outbound: arrives,
      }),
    );
    expect(item.Flight).toMatchObject({ ArrivalDateTime_Outbound: as });
  });

  it('has no value if the feed has none', async () => {
    const item = await answered(
      feedItem({
        StarRating: undefined,
        ArrivalAirportCode_Outbound: undefined,
        BoardBasis: undefined,
        RoomTypeDescription: undefined,
        HotelIdentifierCode: undefined,
      }),
    );
    expect(item.Hotel).toMatchObject({
      StarRating: 0,
      ConsumerRating: null,
      Latitude: null,
      Longitude: null,
    });
    expect(item.Flight).toMatchObject({
      DepartureDateTime_Outbound: null,
      ArrivalDateTime_Outbound: null,
      ArrivalAirportCode_Outbound: '',
      FlightDuration_Outbound: null,
      DepartureDateTime_Inbound: null,
      ArrivalAirportCode_Inbound: 'LGW',
    });
    expect(item).toMatchObject({
      DepartureAirportCode_Inbound: '',
      BoardBasis: 'NA',
      RoomTypeDescription: '',
      FlightNumber_Outbound: '',
    });
    expect(item.HotelIdentifierCode).toBe('HOTEL-SOL-BENIDORM-COSTA-BLANCA');
  });

  it.each([
    ['10:05', null],
    ['07:00', null],
    ['10:05', 9_300],
  ])(
    'does not guess a duration if it lands at %s local time at an unknown airport',
    async (lands, stated) => {
      const item = await answered(
        feedItem({
          ArrivalAirportCode_Outbound: undefined,
          DepartureDateTime_Outbound: '2027-06-12T06:30:00',
          ArrivalDateTime_Outbound: `2027-06-12T${lands}:00`,
          DepartureDateTime_Inbound: '2027-06-19T10:10:00',
          ArrivalDateTime_Inbound: '2027-06-19T10:45:00',
          ...(stated === null ? {} : { FlightDuration_Outbound: stated }),
        }),
      );
      expect(item.Flight).toMatchObject({
        DepartureDateTime_Outbound: '2027-06-12T06:30:00+01:00',
        FlightDuration_Outbound: stated,
        FlightDuration_Inbound: null,
      });
    },
  );

  it('has no markup in its names, and keeps other text that looks like code', async () => {
    const HotelName = '<img src=x onerror=alert(1)> &amp; "Señorío" \\u0041 </script>';
    const item = await answered(
      feedItem({ HotelName, HotelIdentifierCode: 'a:b/../c?"', RoomTypeDescription: '{"a":1}' }),
    );
    expect(item.Hotel.HotelName).toBe('&amp; "Señorío" \\u0041');
    expect(item).toMatchObject({ HotelIdentifierCode: 'a:b/../c?"', RoomTypeDescription: '{"a":1}' });
  });

  it('has the destination list’s spelling, and its region if the feed has none', async () => {
    const item = await answered(
      feedItem({ HolidayCountry: 'SPAIN', HolidayRegion: undefined, HolidayResort: ' benidorm ' }),
    );
    expect(item).toMatchObject({
      HolidayCountry: 'Spain',
      HolidayRegion: 'Costa Blanca',
      HolidayResort: 'Benidorm',
    });
  });

  it('has a link from its provider’s template if the feed has none', async () => {
    const item = await answered(feedItem({ Brand: undefined, DeeplinkUrl: undefined }), 'TEMP');
    expect(item.AdditionalData.DeeplinkUrl).toBe('https://t.example.test/SOL1?on=2027-06-12');
  });
});

describe.each(STORE_KINDS)('A search on the %s store', (kind) => {
  it('finds what an import has added, and not what it has removed', async () => {
    const hosts = { linkHosts: ['www.sunward.example'], photoHosts: ['img.sunward.example'] };
    const live = await makeFeedSite(kind, { providers: [{ code: 'SUNW', name: 'Sunward', ...hosts }] });
    const repository = await openPackageRepository(live.address, readersOf(live.address));
    const search = packageSearch({
      repository,
      brandCode: 'SKY',
      collapse: 'hotel',
      tokenKey: new Uint8Array(32),
      now: () => FEED_NOW,
    });
    const items = async () => {
      const filters = {
        brand: 'SKY',
        startDate: '2027-06-12',
        endDate: '2027-06-19',
        departureAirports: ['LGW'],
        duration: 7,
        country: 'Spain',
        numberOfAdults: 2,
      };
      const answer = await search(parseArguments('searchPackages', { filters, limit: 100 }));
      if (answer.kind !== 'response') throw new Error(answer.message);
      return answer.items.map((item) => JSON.parse(item) as { HotelIdentifierCode: string; Hotel: string });
    };
    const found = async () => (await items()).map(({ HotelIdentifierCode }) => HotelIdentifierCode);
    const codes = (...names: string[]) =>
      ndjson(names.map((name) => feedItem({ HotelIdentifierCode: name })));
    expect(await found()).toEqual([]);
    await live.run(['import', '-', '--provider', 'SUNW'], codes('A', 'B'));
    await expect.poll(found, { timeout: 10_000 }).toEqual(['A', 'B']);
    await live.run(['import', '-', '--provider', 'SUNW', '--accept'], codes('C'));
    await expect.poll(found, { timeout: 10_000 }).toEqual(['C']);

    const photo = 'https://img.sunward.example/a b.jpg'.replace(' ', '%20');
    const withPhoto = ndjson([feedItem({ HotelIdentifierCode: 'D', HotelImages: [photo] })]);
    await live.run(['import', '-', '--provider', 'SUNW', '--accept'], withPhoto);
    await expect.poll(found, { timeout: 10_000 }).toEqual(['D']);
    const [item] = await items();
    const { HotelImages } = JSON.parse(item?.Hotel ?? '{}') as { HotelImages: string[] };
    expect(HotelImages).toEqual([photoPaths(new Uint8Array(32)).pathOf(photo)]);
    await repository.close();
    await live.close();
  });
});

describe('Hotel codes', () => {
  it('belong to one provider, unless both are configured as shared', async () => {
    await site.run(['import', '-', '--provider', 'SUNW'], ndjson([feedItem()]));
    const made = feedItem({
      Brand: 'MADE',
      HotelName: 'Another',
      HolidayResort: 'Albir',
      DeeplinkUrl: 'https://www.made.example/',
    });
    await site.run(['import', '-', '--provider', 'MADE'], ndjson([made]));
    expect(await site.ask('select code, name from hotel order by id')).toEqual([
      ['SOL1', 'Hotel Sol'],
      ['SOL1', 'Another'],
    ]);
  });
});
