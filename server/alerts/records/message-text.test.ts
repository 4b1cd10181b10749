import { expect, it } from 'vitest';
import { describePackage } from './message-text.ts';

const WATCHED = {
  hotelName: 'Hotel Sol',
  resort: 'Benidorm',
  nights: 7,
  boardWords: 'Half Board',
  airportName: 'London Gatwick',
  departure: '2027-05-01',
};

it.each([
  ['1-0-0', 'for 1 adult'],
  ['2-0-0', 'for 2 adults'],
  ['2-1-0', 'for 2 adults, 1 child'],
  ['2-2-1', 'for 2 adults, 2 children, 1 infant'],
])('names the party %s of a watched package', (party, words) => {
  expect(describePackage({ ...WATCHED, party })).toBe(
    `Hotel Sol, Benidorm: 7 nights, Half Board, from London Gatwick on 1st May 2027, ${words}`,
  );
});
