import { expect, test } from 'vitest';
import { legTimes } from './holiday-words.ts';

const leg = (DepartureDateTime: string, ArrivalDateTime: string) => ({
  FlightNumber: '',
  DepartureAirportCode: 'LGW',
  ArrivalAirportCode: 'ALC',
  DepartureDateTime,
  ArrivalDateTime,
  AirlineName: '',
  NumberOfStops: 0,
  FlightDuration: null,
});

test('gives local times and marks arrivals on another day', () => {
  expect(legTimes(leg('2027-05-01T07:05:00+01:00', '2027-05-01T10:40:00+02:00'))).toBe('07:05 to 10:40');
  expect(legTimes(leg('2027-05-31T22:10:00+01:00', '2027-06-01T01:30:00+02:00'))).toBe(
    '22:10 to 01:30 +1 day',
  );
  expect(legTimes(leg('2027-05-01T22:10:00Z', '2027-05-03T01:30:00Z'))).toBe('22:10 to 01:30 +2 days');
  expect(legTimes(leg('2027-05-02T01:10:00+12:00', '2027-05-01T08:30:00-10:00'))).toBe(
    '01:10 to 08:30 −1 day',
  );
});

test('leaves out unknown times', () => {
  expect(legTimes(leg('2027-05-01T07:05:00', ''))).toBe('07:05');
  expect(legTimes(leg('2027-05-01', '2027-05-01T10:40:00'))).toBeNull();
  expect(legTimes(leg('', ''))).toBeNull();
});
