import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAirports } from '../../domain/airport.ts';
import { addDays, dayNumber } from '../../domain/calendar-date.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { distanceKm } from '../inventory/great-circle.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { extrasOf } from '../inventory/offer-extras.ts';
import { readReference } from '../inventory/reference-files.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { loadSample } from './load-sample.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';

const SEED = 1;
const market = sampleMarket(SEED);
const { reference } = market;
const TODAY = '2026-11-21';

describe('The places', () => {
  const { resorts, airports } = readReference();

  it('are those of the destination list, and at least the required number', () => {
    const listed = parseDestinations(readFileSync('assets/locations.csv', 'utf8'));
    const name = ({ country, region, resort }: { country: string; region: string; resort: string }) =>
      [country, region, resort].join(' / ');
    expect(listed.map(name).sort()).toEqual(resorts.map(name).sort());
    expect(reference.resorts.length).toBeGreaterThanOrEqual(150);
    expect(reference.regions.length).toBeGreaterThanOrEqual(40);
    expect(reference.countries.length).toBeGreaterThanOrEqual(15);
  });

  it('are within 200 km of an airport that serves them', () => {
    for (const resort of resorts) {
      const serving = airports.filter(({ iata }) => resort.airports.includes(iata));
      expect(serving.length, resort.resort).toBeGreaterThan(0);
      expect(Math.min(...serving.map((airport) => distanceKm(airport, resort))), resort.resort).toBeLessThan(
        200,
      );
    }
  });

  it('are served from UK airports in the departure airports list', () => {
    const listed = new Set(
      parseAirports(readFileSync('assets/departure-airports.csv', 'utf8')).map(({ code }) => code),
    );
    const codes = new Map(reference.airports.map(({ id, code }) => [id, code]));
    for (const { resort, servedFrom } of market.destinations) {
      expect(servedFrom.length, String(resort)).toBeGreaterThan(0);
      for (const { origin } of servedFrom) expect(listed).toContain(codes.get(origin));
    }
  });
});

describe('The hotels and providers', () => {
  it('say what feeds would say, in line with what they sell', () => {
    const hotels = market.destinations.flatMap((destination) => destination.hotels);
    for (const { record, canTakeChildren } of hotels) {
      const { facilities = '', childPrices } = record;
      expect(facilities, record.name).not.toBe('');
      expect(/Kids|Playground|Children/.test(facilities ?? '') && !canTakeChildren).toBe(false);
      if (childPrices) expect(childPrices.startsWith('Adults only')).toBe(!canTakeChildren);
    }
    const described = hotels.filter(({ record }) => record.description);
    expect(described.length / hotels.length).toBeGreaterThan(0.8);
    expect(described.length).toBeLessThan(hotels.length);
    const extras = offersOfDay(market, '2027-06-12', TODAY, 0).map((offer) => extrasOf(offer[OFFER.extras]));
    expect(new Set(extras.map(({ transfer }) => transfer))).toEqual(new Set([true, false, null]));
    expect(extras.every(({ cabinKg }) => cabinKg === 7 || cabinKg === 10)).toBe(true);
  });

  it('include at least a thousand hotels with unique names and codes', () => {
    expect(reference.hotels.length).toBeGreaterThanOrEqual(1_000);
    expect(new Set(reference.hotels.map(({ name }) => name)).size).toBe(reference.hotels.length);
    expect(new Set(reference.hotels.map(({ code }) => code)).size).toBe(reference.hotels.length);
  });

  it('have two to five stars and ratings up to ten', () => {
    for (const { halfStars, consumerRating } of reference.hotels) {
      expect(halfStars).toBeGreaterThanOrEqual(4);
      expect(halfStars).toBeLessThanOrEqual(10);
      expect(consumerRating).toBeLessThanOrEqual(10);
    }
  });

  it('have links to .example addresses only', () => {
    expect(reference.providers.length).toBeGreaterThanOrEqual(4);
    for (const { linkTemplate } of reference.providers) {
      expect(new URL(linkTemplate ?? '').hostname).toMatch(/\.example$/);
    }
  });
});

describe('The packages of a day', () => {
  const day = addDays(TODAY, 200);
  const rows = offersOfDay(market, day, TODAY, 1);

  it('are in key order without duplicates', () => {
    for (let index = 1; index < rows.length; index += 1) {
      expect(compareKeys(rows[index - 1], rows[index])).toBeLessThan(0);
    }
  });

  it('depend only on the seed', () => {
    expect(offersOfDay(sampleMarket(SEED), day, TODAY, 1)).toEqual(rows);
    expect(offersOfDay(sampleMarket(2), day, TODAY, 1)).not.toEqual(rows);
  });

  it('have outbound and inbound flights between the same two airports', () => {
    const flights = new Map(reference.flights.map((flight) => [flight.id, flight]));
    for (const row of rows) {
      const outbound = flights.get(row[OFFER.outboundFlight]);
      const inbound = flights.get(row[OFFER.inboundFlight]);
      expect(outbound?.origin).toBe(row[OFFER.airport]);
      expect([inbound?.destination, inbound?.origin]).toEqual([outbound?.origin, outbound?.destination]);
    }
  });

  it('have plausible prices', () => {
    for (const row of rows) {
      expect(row[OFFER.price]).toBeGreaterThan(150_00);
      expect(row[OFFER.price]).toBeLessThan(25_000_00);
    }
  });
});

describe('Loading the sample', () => {
  it('continues after an interruption, and later only adds new days and removes past ones', async () => {
    const store = memoryWriter();
    let days = 0;
    await load(
      store,
      TODAY,
      () => days >= 3,
      () => days++,
    );
    expect(store.daysHeld()).toEqual([1, 2, 3].map((ahead) => dayNumber(addDays(TODAY, ahead))));

    await load(store, TODAY, () => store.daysHeld().length >= 5);
    expect(store.daysHeld()).toEqual([1, 2, 3, 4, 5].map((ahead) => dayNumber(addDays(TODAY, ahead))));

    await load(store, addDays(TODAY, 2), () => true);
    expect(store.daysHeld()).toEqual([3, 4, 5].map((ahead) => dayNumber(addDays(TODAY, ahead))));
    expect(store.referencesWritten).toBe(1);
  });

  it('removes nothing while the clock may be wrong', async () => {
    const store = memoryWriter();
    await load(store, TODAY, () => store.daysHeld().length >= 2);
    const held = store.daysHeld();
    await load(store, addDays(TODAY, 400), () => true, undefined, SEED, false);
    expect(store.daysHeld()).toEqual(held);
  });

  it('starts again with another seed', async () => {
    const store = memoryWriter();
    await load(store, TODAY, () => store.daysHeld().length >= 2);
    await load(store, TODAY, () => store.daysHeld().length >= 1, undefined, 2);
    expect(store.referencesWritten).toBe(2);
    expect(store.daysHeld()).toEqual([dayNumber(addDays(TODAY, 1))]);
  });
});

function load(
  writer: InventoryWriter,
  today: string,
  stopped: () => boolean,
  onDay: () => void = () => {},
  seed = SEED,
  canRemoveDeparted = true,
): Promise<void> {
  return loadSample({
    writer,
    seed,
    today,
    now: 1,
    canRemoveDeparted,
    stopped,
    onProgress: ({ offers }) => offers > 0 && onDay(),
  });
}

function compareKeys(one: OfferRow | undefined, other: OfferRow | undefined): number {
  for (let column = 0; column < 11; column += 1) {
    const difference = Number(one?.[column]) - Number(other?.[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function memoryWriter() {
  let rows: OfferRow[] = [];
  const notes = new Map<string, string>();
  const writer = {
    referencesWritten: 0,
    daysHeld: () => [...new Set(rows.map(([day]) => day))],
    async replaceReference() {
      writer.referencesWritten += 1;
    },
    async writeOffers(offers: readonly OfferRow[]) {
      rows.push(...offers);
    },
    async removeDeparturesBefore(day: number) {
      rows = rows.filter(([departure]) => departure >= day);
    },
    reserve: async () => true,
    async readNote(name: string) {
      return notes.get(name) ?? null;
    },
    async writeNote(name: string, value: string) {
      notes.set(name, value);
    },
    async close() {},
  };
  return writer satisfies InventoryWriter;
}
