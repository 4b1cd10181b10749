import { describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { marketOf, WHICH_JULY_2023 } from './country-markets.ts';
import {
  basePricePerPerson,
  hotelFactor,
  leadTimePrice,
  nightsFactor,
  seasonFactor,
} from './market-price.ts';

/** A Monday in mid-July, before England's school holidays. Season and weekday factors are 1. */
const MID_JULY = '2030-07-15';

describe('The base price of a package in July, by lead time', () => {
  const places = {
    greece: ['Greece', 'Crete'],
    turkey: ['Turkey', 'Antalya'],
    portugal: ['Portugal', 'Algarve'],
    italy: ['Italy', 'Sicily'],
    mainlandSpain: ['Spain', 'Costa Blanca'],
    canaries: ['Spain', 'Tenerife'],
  } as const;
  for (const [name, [country, region]] of Object.entries(places)) {
    it(`matches the figures of Which? for ${name}`, () => {
      const figures = WHICH_JULY_2023[name as keyof typeof places];
      const at = (days: number) =>
        basePricePerPerson(marketOf(country, region), MID_JULY, addDays(MID_JULY, -days));
      expect(at(270)).toBeCloseTo(figures.nineMonths, 6);
      expect(at(210)).toBeCloseTo(figures.sevenMonths, 6);
      expect(at(7)).toBeCloseTo(figures.oneWeek, 6);
    });
  }
});

it('interpolates linearly between the three points of a curve, and is constant outside', () => {
  const curve = { nineMonths: 900, sevenMonths: 700, oneWeek: 1106 };
  expect([0, 7, 210, 240, 270, 500].map((days) => leadTimePrice(curve, days))).toEqual([
    1106, 1106, 700, 800, 900, 900,
  ]);
  expect(leadTimePrice(curve, 108.5)).toBeCloseTo(903, 6);
});

it('is at least 35% higher in the summer holidays than in the week before', () => {
  const market = marketOf('Spain', 'Costa Blanca');
  const booked = '2029-10-01';
  const before = basePricePerPerson(market, '2030-07-12', booked);
  const during = basePricePerPerson(market, '2030-07-26', booked);
  expect(during / before).toBeGreaterThan(1.35);
});

it('has its largest step at four stars', () => {
  const steps = [5, 6, 7, 8, 9, 10].map((stars) => hotelFactor(stars, null) / hotelFactor(stars - 1, null));
  expect(hotelFactor(8, null) / hotelFactor(6, null)).toBeGreaterThan(1.3);
  expect(Math.max(...steps)).toBe(steps[3]);
});

it('falls with the distance from the beach, and rises with the number of nights', () => {
  expect(hotelFactor(8, 0.1)).toBeGreaterThan(hotelFactor(8, 1));
  expect(nightsFactor(7)).toBeCloseTo(1, 10);
  expect([4, 7, 10, 14].map(nightsFactor)).toEqual([4, 7, 10, 14].map(nightsFactor).sort((a, b) => a - b));
});

it("applies a month's factor in its middle, and changes continuously between months", () => {
  const season = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  expect(seasonFactor(season, '2027-03-15')).toBe(3);
  const lastOfJune = seasonFactor(season, '2027-06-30');
  const firstOfJuly = seasonFactor(season, '2027-07-01');
  expect(Math.abs(firstOfJuly - lastOfJune)).toBeLessThan(0.1);
});
