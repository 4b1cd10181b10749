import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WIRE_FLIGHT, WIRE_HOTEL, wireItem } from '../tests/fixtures/wire-item.ts';
import { parsePackageSearchItem } from './package-search-item.ts';

function read(changes: Record<string, unknown> = {}) {
  const parsed = parsePackageSearchItem(wireItem(changes));
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return parsed.item;
}

describe('A complete item', () => {
  // @proves 3.8
  it('is parsed, with its JSON texts as objects', () => {
    expect(read()).toMatchObject({
      ItemKey: 'SUN:H1:LGW:2027-05-01:7:HB:DBL:2-0-0',
      TotalPrice: 1234.5,
      Hotel: WIRE_HOTEL,
      Flight: { ArrivalAirportCode_Outbound: 'ALC', FlightDuration_Outbound: 9300 },
      AdditionalData: {
        DeeplinkUrl: 'https://www.sunward.example/h/1?from=LGW',
        TotalPriceBeforeDiscount: 1500,
      },
      Duration: 7,
      LuggageIncluded: 1,
    });
  });

  it('may have objects instead of JSON text, doubly encoded JSON, and numbers as text', () => {
    const item = read({
      Hotel: WIRE_HOTEL,
      Flight: JSON.stringify(JSON.stringify(WIRE_FLIGHT)),
      TotalPrice: ' 1234.50 ',
      Duration: '10',
      NumberOfAdults: '3',
    });
    expect(item).toMatchObject({ Hotel: WIRE_HOTEL, TotalPrice: 1234.5, Duration: 10, NumberOfAdults: 3 });
    expect(item.Flight.FlightDuration_Inbound).toBe(9630);
  });
});

describe('An invalid item', () => {
  it.each([
    ['no ItemKey', { ItemKey: undefined }],
    ['no ItemKey', { ItemKey: '  ' }],
    ['no HotelName', { Hotel: null }],
    ['no plausible TotalPrice', { TotalPrice: null }],
    ['no plausible TotalPrice', { TotalPrice: 0 }],
    ['no plausible TotalPrice', { TotalPrice: -5 }],
    ['no plausible TotalPrice', { TotalPrice: '12e9' }],
    ['no plausible TotalPrice', { TotalPrice: '£12' }],
    ['no real DepartureDate', { DepartureDate: '2027-02-30', Flight: '{}' }],
    ['no real DepartureDate', { DepartureDate: undefined, Flight: undefined }],
    ['no plausible Duration', { Duration: -7 }],
    ['no plausible Duration', { Duration: 0 }],
    ['no plausible Duration', { Duration: 7.5 }],
    ['no plausible Duration', { Duration: 100_000 }],
  ])('is refused for %s: %j', (reason, changes) => {
    expect(parsePackageSearchItem(wireItem(changes))).toEqual({ kind: 'refused', reason });
  });

  it.each([
    ['Hotel', 'broken {'],
    ['Flight', '{"DepartureDateTime_Outbound":'],
    ['Flight', 'tomorrow'],
    ['AdditionalData', '[]'],
    ['AdditionalData', 7],
    ['Hotel', '"a hotel"'],
  ])('is refused if %s is %j', (field, value) => {
    expect(parsePackageSearchItem(wireItem({ [field]: value }))).toEqual({
      kind: 'refused',
      reason: `${field} is not the JSON of an object`,
    });
  });

  it.each([null, undefined, 7, 'text', true])('is refused if it is %j', (raw) => {
    expect(parsePackageSearchItem(raw)).toEqual({ kind: 'refused', reason: 'the item is not an object' });
  });
});

describe('An item with optional parts missing', () => {
  it('has blank or null values for them, and keeps the other fields', () => {
    const item = read({
      Flight: null,
      AdditionalData: ' ',
      Brand: null,
      EventTime: 'yesterday',
      LuggageIncluded: 'x',
    });
    expect(item.Flight.DepartureDateTime_Outbound).toBeNull();
    expect(item.AdditionalData).toEqual({
      DeeplinkUrl: '',
      TotalPriceBeforeDiscount: null,
      PriceToken: '',
      ProviderPrice: null,
      LocalCharges: null,
      LocalChargeParts: [],
    });
    expect(item).toMatchObject({ Brand: '', EventTime: null, LuggageIncluded: null, TotalPrice: 1234.5 });
  });

  it('gets the departure day from its outbound flight', () => {
    expect(read({ DepartureDate: undefined }).DepartureDate).toBe('2027-05-01');
  });

  it.each([-1, 0, 1e9, 'long'])('has no flight duration of %j seconds', (seconds) => {
    const item = read({ Flight: JSON.stringify({ ...WIRE_FLIGHT, FlightDuration_Outbound: seconds }) });
    expect(item.Flight.FlightDuration_Outbound).toBeNull();
  });
});

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '//www.sunward.example/',
  '/relative',
  'https://user:secret@www.sunward.example/',
  'https://www.sunward.example\\@evil.example/',
  'https://www.sunward.example/a b',
  'ftp://www.sunward.example/',
])('drops a link that is not a plain http(s) URL: %s', (DeeplinkUrl) => {
  expect(read({ AdditionalData: JSON.stringify({ DeeplinkUrl }) }).AdditionalData.DeeplinkUrl).toBe('');
});

it('loses unknown fields of a hostile item, and changes no prototype', () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":1},"HotelName":"Hotel Brisa","extra":1}') as unknown;
  const item = read({ Hotel: hostile, Unknown: 'x', AdditionalData: '{"__proto__":{"polluted":1}}' });
  expect(Object.keys(item.Hotel)).toEqual([
    'HotelName',
    'StarRating',
    'ConsumerRating',
    'SeaDistance',
    'Longitude',
    'Latitude',
    'HotelImages',
  ]);
  expect(item).not.toHaveProperty('Unknown');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('never throws, whatever the value of a field', () => {
  const fields = Object.keys(wireItem());
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.anything({ withNullPrototype: true }), (field, value) => {
      expect(['item', 'refused']).toContain(parsePackageSearchItem(wireItem({ [field]: value })).kind);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['https://elsewhere.example/a.jpg'],
  ['//elsewhere.example/photos?of=a'],
  ['/photos?of=a"onerror'],
  ['/results?of=a'],
])('drops photos whose paths are not the server’s: %s', (path) => {
  expect(read({ Hotel: { ...WIRE_HOTEL, HotelImages: ['/photos?of=a', path] } }).Hotel.HotelImages).toEqual(
    [],
  );
  expect(read({ Hotel: { ...WIRE_HOTEL, HotelImages: ['/photos?of=a'] } }).Hotel.HotelImages).toEqual([
    '/photos?of=a',
  ]);
});
