import { describe, expect, it } from 'vitest';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { WHICH_JULY_2023 } from './country-markets.ts';
import { repricedOffers } from './reprice-offers.ts';
import { simulatePricePath } from './simulate-price-path.ts';

const curve = WHICH_JULY_2023.greece;
const FROM = 20_700;
const keyOf = (hotel: number) => ({ hotel, monthStart: 20_800, curve });
const paths = Array.from({ length: 400 }, (_, hotel) => simulatePricePath(5, keyOf(hotel), FROM, FROM + 90));

describe('A simulated price path', () => {
  it('does not depend on the days requested', () => {
    const whole = simulatePricePath(5, keyOf(7), FROM, FROM + 90);
    expect(simulatePricePath(5, keyOf(7), FROM + 40, FROM + 50)).toEqual(whole.slice(40, 51));
    expect(simulatePricePath(6, keyOf(7), FROM, FROM + 90)).not.toEqual(whole);
  });

  it('is unchanged on most days', () => {
    const steps = paths.flatMap((path) => path.slice(1).map((level, index) => level !== path[index]));
    const share = steps.filter(Boolean).length / steps.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.25);
  });

  it('falls by 5% within a week in 10% to 22% of cases, as real fares do', () => {
    const weeks = paths.flatMap((path) =>
      path
        .slice(0, -7)
        .map((level, day) => Math.min(...path.slice(day + 1, day + 8)) <= level + Math.log(0.95)),
    );
    const share = weeks.filter(Boolean).length / weeks.length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.22);
  });

  it('reverts to the market level', () => {
    const off = paths.flatMap((path) => path.map((level) => level - Math.log(1_021)));
    expect(off.reduce((sum, one) => sum + one, 0) / off.length).toBeGreaterThan(-0.1);
    expect(Math.max(...off)).toBeLessThan(0.5);
    expect(Math.min(...off)).toBeGreaterThan(-0.5);
  });
});

describe('Repricing offers', () => {
  const offers = Array.from({ length: 200 }, (_, index) => offerOf(index % 50, 100_099 + index * 100));
  const month = { monthStart: 20_800, curve };

  it("moves a hotel's prices together, keeps price endings and order, and skips unchanged prices", () => {
    const moved = repricedOffers(5, month, offers, FROM + 11, 999);
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(offers.length / 2);
    for (const offer of moved) {
      const [before = 0, after = 0] = simulatePricePath(5, keyOf(offer[OFFER.hotel]), FROM + 10, FROM + 11);
      const old = offers.find(
        (one) => one[OFFER.resort] === offer[OFFER.resort] && one[OFFER.hotel] === offer[OFFER.hotel],
      );
      expect(offer[OFFER.price] % 100).toBe(99);
      expect(offer[OFFER.price] / (old?.[OFFER.price] ?? 0)).toBeCloseTo(Math.exp(after - before), 2);
      expect(offer[OFFER.seenAt]).toBe(999);
    }
    expect(moved.map((offer) => offer[OFFER.resort])).toEqual(
      moved.map((offer) => offer[OFFER.resort]).toSorted((a, b) => a - b),
    );
  });

  /** The resort's ID marks the offer's position in the order. */
  function offerOf(hotel: number, price: number): OfferRow {
    return [
      20_810,
      7,
      1,
      1,
      1,
      price,
      1,
      hotel,
      1,
      1,
      1,
      price,
      null,
      8,
      400,
      1,
      2,
      1,
      30_000_000,
      1,
      null,
      0,
      0,
    ];
  }
});
