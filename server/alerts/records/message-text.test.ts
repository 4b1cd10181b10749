import { expect, it } from 'vitest';
import { type DropFacts, describePackage, fittingDropText } from './message-text.ts';
import type { PackageOnSale } from './package-lookup.ts';

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

function drop(hotelName: string): DropFacts {
  const named = { ...WATCHED, hotelName, party: '2-0-0', price: 40_000 } as PackageOnSale;
  const dropped = { onSale: named, was: 50_000 };
  return {
    watchNumber: 1,
    below: null,
    dropped,
    similar: [dropped, dropped, dropped],
    low: null,
    link: `https://skylark.example/results?holiday=${'k'.repeat(160)}`,
  };
}

it.each([
  ['Hotel Sol', 3],
  ['The Grand Old Hotel of the Northern Promenade and Its Gardens, Adults Only', 2],
  ['h'.repeat(400), 0],
])('names as many similar packages as a WhatsApp template has room for: %s', (name, count) => {
  const { body, named } = fittingDropText(drop(name));
  expect(named).toBe(count);
  expect(body.similar).toHaveLength(count);
  if (count > 0) expect(body.text.length).toBeLessThanOrEqual(850);
});
