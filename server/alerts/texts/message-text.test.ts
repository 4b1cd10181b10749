import { expect, it } from 'vitest';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { holidayLinks } from './holiday-link.ts';
import { type DropFacts, describePackage, fittingDropText } from './message-text.ts';

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
  const dropped = { onSale: named, reference: 50_000, similarTo: null };
  return {
    message: 5,
    watchNumber: 1,
    search: null,
    dropped,
    others: [dropped, dropped],
    low: null,
    record: { root: '3fa9c1d2e4b5'.padEnd(64, '0'), siteUrl: 'https://skylark.example' },
    links: [
      `https://skylark.example/results?from=LGW&holiday=${'k'.repeat(160)}`,
      'https://skylark.example/results?from=LGW',
      'https://skylark.example/',
    ],
  };
}

it.each([
  ['Hotel Sol', 2],
  ['The Grand Old Hotel of the Northern Promenade and Its Gardens, Adults Only', 1],
  ['h'.repeat(400), 1],
])('names up to two other packages, as many as fit into a WhatsApp template: %s', (name, count) => {
  const { body, count: named } = fittingDropText(drop(name));
  expect(named).toBe(count);
  expect(body.others).toHaveLength(count);
  expect(body.text.length).toBeLessThanOrEqual(850);
  expect(body.text).toContain('&holiday=kkk');
});

it('ends the last variable with the root of the price record, unless the message would be too long', () => {
  const { body } = fittingDropText(drop('Hotel Sol'));
  const record = 'Price record: 3fa9c1d2e4b5, https://skylark.example/price-record';
  expect(body.parameters.at(-1)).toMatch(new RegExp(`; .*\\. ${record}$`));
  expect(body.root).toBe('3fa9c1d2e4b5');
  const link = 'https://skylark.example/'.padEnd(560, 'k');
  const long = fittingDropText({ ...drop('Hotel Sol'), links: [link, link, link] }).body;
  expect(long.text.length).toBeLessThanOrEqual(850);
  expect([long.root, long.text.includes('Price record')]).toEqual([undefined, false]);
});

it('names as many other packages with the link to a flexible search, or uses a shorter link', () => {
  const facts = drop('Hotel Sol');
  const fitting = (length: number) => {
    const flexible = `https://skylark.example/results?or=Malta&flex=${'3'.repeat(length)}`;
    const { body, count: named } = fittingDropText({ ...facts, links: [flexible, ...facts.links] });
    return [named, /results\?(or|from)/.exec(body.text)?.[1]];
  };
  expect([fitting(50), fitting(500)]).toEqual([
    [2, 'or'],
    [2, 'from'],
  ]);
});

it.each([
  [300, 1, 'results?from=LGW&holiday=kkk'],
  [1_000, 0, 'results?from=LGW\n'],
])('uses a shorter link if one with a mark of %d characters does not fit', (length, count, link) => {
  const facts = drop('Hotel Sol');
  const [, ...shorter] = facts.links;
  const best = `https://skylark.example/results?from=LGW&holiday=${'k'.repeat(length)}`;
  const { body, count: named } = fittingDropText({ ...facts, links: [best, ...shorter] });
  expect(named).toBe(count);
  expect(body.text.length).toBeLessThanOrEqual(850);
  expect(body.text).toContain(link);
});

it("fits into a template, however long a feed's names, keys and links are", () => {
  const onSale = (letter: string) =>
    ({
      ...WATCHED,
      hotelName: letter.repeat(200),
      resort: letter.repeat(200),
      region: letter.repeat(200),
      country: letter.repeat(200),
      airport: 'LGW',
      board: 'HB',
      party: '2-0-0',
      price: 40_000,
      itemKey: encodeURIComponent(letter).repeat(30),
      providerName: 'Sunway',
      link: `https://www.sunway.example/${'a'.repeat(1_900)}`,
    }) as unknown as PackageOnSale;
  for (const letter of ['h', 'İ', '海', '😀']) {
    const dropped = { onSale: onSale(letter), reference: 50_000, similarTo: onSale(letter) };
    const facts = { ...drop('Hotel Sol'), below: 45_000, low: { price: 39_000, days: 30 } };
    for (const siteUrl of [null, 'https://skylark.example']) {
      const links = holidayLinks(siteUrl, dropped.onSale, null);
      const { body } = fittingDropText({ ...facts, dropped, others: [dropped, dropped], links });
      expect(body.text.length).toBeLessThanOrEqual(850);
    }
  }
});
