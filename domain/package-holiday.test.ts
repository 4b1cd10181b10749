import { describe, expect, it } from 'vitest';
import { wireItem } from '../tests/fixtures/wire-item.ts';
import { departureDay, toPackageHoliday } from './package-holiday.ts';
import { parsePackageSearchItem } from './package-search-item.ts';

const MAPPING = { mappedAt: '2027-01-03T00:00:00.000Z', brandCode: 'SKY' };

function map(changes: Record<string, unknown> = {}) {
  const parsed = parsePackageSearchItem(wireItem(changes));
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return toPackageHoliday(parsed.item, MAPPING);
}

// @proves 3.10, 3.11, 3.12, 3.13
it('maps an item to the exact shape of Section 3, with the time when its price was last seen', () => {
  expect(map()).toEqual({
    ItemKey: 'SUN:H1:LGW:2027-05-01:7:HB:DBL:2-0-0',
    CacheKey: 'SUN:H1:LGW:2027-05-01:7:HB:DBL:2-0-0',
    Brand: 'SUN',
    LastUpdate: MAPPING.mappedAt,
    Expiry: expect.stringMatching(/^2027-04-30T00:00:00/),
    HolidayCountry: 'Spain',
    HolidayRegion: 'Costa Blanca',
    HolidayResort: 'Benidorm',
    Duration: 7,
    BoardBasis: 'HB',
    RoomTypeDescription: 'Double room',
    DeeplinkUrl: 'https://www.sunward.example/h/1?from=LGW',
    HotelDetails: {
      HotelName: 'Hotel Brisa',
      StarRating: 4.5,
      ConsumerRating: 8.2,
      SeaDistance: null,
      Latitude: 38.54,
      Longitude: -0.13,
      HotelURL: '',
      HotelIdentifierCode: 'H1',
      HotelImages: [expect.stringMatching(/^\/assets\/places\/coast\.svg#(dawn|noon|dusk)$/)],
    },
    FlightDetails: {
      Outbound: {
        FlightNumber: 'SK101',
        DepartureAirportCode: 'LGW',
        ArrivalAirportCode: 'ALC',
        DepartureDateTime: '2027-05-01T06:30:00+01:00',
        ArrivalDateTime: '2027-05-01T10:05:00+02:00',
        AirlineName: 'Test Air',
        NumberOfStops: 0,
        FlightDuration: 155,
      },
      Inbound: {
        FlightNumber: 'SK102',
        DepartureAirportCode: 'ALC',
        ArrivalAirportCode: 'LGW',
        DepartureDateTime: '2027-05-08T11:00:00+02:00',
        ArrivalDateTime: '2027-05-08T12:40:00+01:00',
        AirlineName: 'Test Air',
        NumberOfStops: 0,
        FlightDuration: 161,
      },
    },
    PriceDetails: {
      TotalPrice: 1234.5,
      PricePerAdult: 617.25,
      TotalPriceBeforeDiscount: 1500,
      AdjustedPrice: 1234.5,
      Currency: 'GBP',
      NumberOfAdults: 2,
      NumberOfChildren: 0,
      NumberOfInfants: 0,
      PricePerChild: 0,
      PricePerInfant: 0,
      Extras: { TransfersIncluded: false, LuggageIncluded: true, Bonded: false },
    },
    Bags: 1,
    FreeChild: false,
    LastSeen: expect.stringMatching(/^2027-01-02T03:04:00/),
  });
});

describe('The defaults of Section 3', () => {
  // @proves 3.10
  it('are two adults, no children, no infants', () => {
    const { PriceDetails } = map({
      NumberOfAdults: null,
      NumberOfChildren: null,
      NumberOfInfants: undefined,
    });
    expect(PriceDetails).toMatchObject({ NumberOfAdults: 2, NumberOfChildren: 0, NumberOfInfants: 0 });
    expect(PriceDetails.PricePerAdult).toBe(617.25);
  });

  // @proves 3.14
  it.each([
    [1, 1234.5],
    [3, 411.5],
  ])('divide the total by %i adults', (NumberOfAdults, perAdult) => {
    expect(map({ NumberOfAdults }).PriceDetails.PricePerAdult).toBe(perAdult);
  });

  // @proves 3.15
  it('use the total if there is no earlier price, and the configured brand if there is no brand', () => {
    const holiday = map({ AdditionalData: '{}', Brand: '' });
    expect(holiday.PriceDetails.TotalPriceBeforeDiscount).toBe(1234.5);
    expect(holiday.Brand).toBe('SKY');
    expect(holiday.DeeplinkUrl).toBe('');
  });

  // @proves 3.16
  it.each([
    [0, false],
    [2, true],
    ['1', true],
    [null, false],
  ])('include luggage for a count of %j: %s', (LuggageIncluded, included) => {
    expect(map({ LuggageIncluded }).PriceDetails.Extras.LuggageIncluded).toBe(included);
  });
});

it('keeps the departure day if the time is unknown', () => {
  const holiday = map({ Flight: '{}' });
  expect(holiday.FlightDetails.Outbound.FlightDuration).toBeNull();
  expect(departureDay(holiday)).toBe('2027-05-01');
});
