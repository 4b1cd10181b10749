import { describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';
import { writtenTogether } from './written-together.ts';

const TODAY = '2026-11-22';
const market = sampleMarket(1);
const offers = [200, 201, 202].flatMap((ahead) => offersOfDay(market, addDays(TODAY, ahead), TODAY, 1));
const blockOf = (offer: OfferRow) =>
  [OFFER.nights, OFFER.party, OFFER.resort].map((column) => offer[column]).join();

describe('writtenTogether', () => {
  const parts = writtenTogether(offers, 5_000);

  it('splits offers into a few parts, and loses none', () => {
    expect(parts.length).toBeGreaterThan(offers.length / 5_000);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(5_000);
    expect(Math.min(...parts.slice(0, -1).map((part) => part.length))).toBeGreaterThan(4_000);
    expect(new Set(parts.flat())).toEqual(new Set(offers));
    expect(parts.flat()).toHaveLength(offers.length);
  });

  it('keeps their order', () => {
    const placeOf = new Map(offers.map((offer, place) => [offer, place]));
    for (const part of parts) {
      const places = part.map((offer) => placeOf.get(offer) ?? -1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('keeps all offers of a price block in one part', () => {
    const blocks = parts.map((part) => new Set(part.map(blockOf)));
    const all = blocks.flatMap((some) => [...some]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('makes one part of few offers, and a larger one if a price block has more than the maximum', () => {
    expect(writtenTogether(offers, offers.length)).toEqual([offers]);
    expect(writtenTogether(offers, 1).map((part) => new Set(part.map(blockOf)).size)).toEqual(
      Array.from({ length: new Set(offers.map(blockOf)).size }, () => 1),
    );
    expect(writtenTogether([])).toEqual([]);
  });
});
