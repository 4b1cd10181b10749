import { addDays, type CalendarDate } from '../../domain/calendar-date.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';

/** A package with exactly the fields that Section 3 names or describes. */
export type SpecItem = Record<string, unknown>;

export interface HotelOfMock {
  name: string;
  /** Pounds for two adults. */
  price: number;
  stars: number;
  /** 'HH:MM' in the departure airport's local time. */
  departs: string;
}

/** A package in a hotel in Benidorm that departs on `date`. */
export function specItem(
  number: number,
  date: CalendarDate,
  { name, price, stars, departs }: HotelOfMock,
  { airport = 'LGW', nights = 7 } = {},
): SpecItem {
  const back = addDays(date, nights);
  const key = `another-server-${airport}-${date}-${nights}-${number}`;
  return {
    ItemKey: key,
    TotalPrice: price,
    HolidayCountry: 'Spain',
    HolidayRegion: 'Costa Blanca',
    HolidayResort: 'Benidorm',
    Hotel: JSON.stringify({
      HotelName: name,
      StarRating: stars,
      ConsumerRating: 8.4,
      Longitude: -0.13,
      Latitude: 38.54,
    }),
    Flight: JSON.stringify({
      DepartureDateTime_Outbound: `${date}T${departs}:00+00:00`,
      ArrivalDateTime_Outbound: `${date}T23:10:00+01:00`,
      ArrivalAirportCode_Outbound: 'ALC',
      AirlineName_Outbound: 'Seaward Air',
      FlightDuration_Outbound: 9_300,
      DepartureDateTime_Inbound: `${back}T11:00:00+01:00`,
      ArrivalDateTime_Inbound: `${back}T12:40:00+00:00`,
      ArrivalAirportCode_Inbound: airport,
      AirlineName_Inbound: 'Seaward Air',
      FlightDuration_Inbound: 9_600,
    }),
    FlightNumber_Outbound: 'SW1',
    FlightNumber_Inbound: 'SW2',
    DepartureDate: date,
    Duration: nights,
    AdditionalData: JSON.stringify({
      DeeplinkUrl: `https://www.seaward.example/holidays/${number}`,
      TotalPriceBeforeDiscount: price + 100,
    }),
    BoardBasis: 'HB',
    Brand: 'SEA',
    DepartureAirportCode_Outbound: airport,
    DepartureAirportCode_Inbound: 'ALC',
    FreeChild: false,
    LuggageIncluded: 1,
    HotelIdentifierCode: `hotel-${number}`,
    NumberOfAdults: 2,
    NumberOfChildren: 0,
    NumberOfInfants: 0,
    Occupancy: '2 adults',
    RoomCount: 1,
    RoomTypeDescription: 'Double room',
    Id: key,
    EventId: `event-${number}`,
    EventTime: '2026-01-02T03:04:00Z',
    Expiry: `${date}T00:00:00Z`,
  };
}

/** The packages for one departure day: one per hotel, from the first requested airport. */
export function itemsFor(hotels: readonly HotelOfMock[], filters: PackageSearchFilters): SpecItem[] {
  const { country, region, resort, startDate, duration, departureAirports } = filters;
  const { numberOfAdults, numberOfChildren, numberOfInfants } = filters;
  const isOurs =
    (country ?? 'Spain') === 'Spain' &&
    (region ?? 'Costa Blanca') === 'Costa Blanca' &&
    (resort ?? 'Benidorm') === 'Benidorm';
  const [airport] = departureAirports;
  if (!isOurs || airport === undefined) return [];
  return hotels.map((hotel, index) => ({
    ...specItem(index + 1, startDate, hotel, { airport, nights: duration ?? 7 }),
    NumberOfAdults: numberOfAdults,
    NumberOfChildren: numberOfChildren,
    NumberOfInfants: numberOfInfants,
  }));
}
