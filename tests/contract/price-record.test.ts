import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import { inventoryWriter } from '../../server/ingest/inventory-writer.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import {
  PRICE_RECORD_PLACES,
  PRICE_RECORD_ROOT,
  PRICE_RECORD_WAITS,
} from '../../server/inventory/inventory-notes.ts';
import { itemKeyOf } from '../../server/inventory/item-key.ts';
import { offerOf } from '../../server/inventory/offer.ts';
import { offerCodes } from '../../server/inventory/offer-codes.ts';
import { OFFER, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { storedCatalogue } from '../../server/inventory/tables/stored-catalogue.ts';
import { workerThread } from '../../server/lib/worker-rpc.ts';
import type { PackageRepository } from '../../server/package-search/query/package-repository.ts';
import { openOwnRepository } from '../../server/package-search/store/open-package-repository.ts';
import { readPriceModels } from '../../server/price-history/model/model-table.ts';
import { refreshPrices } from '../../server/price-history/refresh-prices.ts';
import type { RefreshWorkerApi, RefreshWorkerData } from '../../server/price-history/start-price-refresh.ts';
import { waitAdvice } from '../../server/price-history/wait-advice.ts';
import { drawPackages, keyText } from '../../server/price-record/draw-packages.ts';
import { drawnOn, publishRecord } from '../../server/price-record/publish-record.ts';
import { type RecordLine, rootOf } from '../../server/price-record/record-file.ts';
import { priceRecordReader } from '../../server/price-record/record-store.ts';
import { formatScores } from '../../server/price-record/scores.ts';
import { verifyRecord } from '../../server/price-record/verify-record.ts';
import { readNote, writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { openSmallApp } from '../fixtures/small-app.ts';
import { AIRPORT_CODES, FIRST_DAY, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

const DAYS = 30;
const START = FIRST_DAY - 45;
const SIZE = 24;

const seenIn = smallOffers().filter(
  (offer) => offer[OFFER.departureDay] < FIRST_DAY + 4 && offer[OFFER.party] === 1,
);

/** Every tenth package sells out on its own day. */
const soldOutOn = (nth: number) => (nth % 10 === 3 ? START + (nth % 23) : Number.POSITIVE_INFINITY);

/** A price lasts for some days, and moves by up to a quarter. */
function priceOn(nth: number, day: number): number {
  const step = Math.floor((day + nth) / (2 + (nth % 9)));
  return 50_000 + ((nth * 733) % 40_000) + ((step * 7_919 + nth) % 12_000);
}

/** A day of the year's clock, at 04:00 UTC, an hour after the day's feed. */
const clockOf = (day: number) => (day * 24 + 4) * 3_600_000;

function offersOn(day: number): OfferRow[] {
  return seenIn.flatMap((offer, nth) => {
    if (day >= soldOutOn(nth)) return [];
    const row = [...offer] as (string | number | null)[];
    row[OFFER.price] = priceOn(nth, day);
    row[OFFER.expiresAt] = (FIRST_DAY + 100) * 1440;
    row[OFFER.seenAt] = day * 1440 + 180;
    return [row as unknown as OfferRow];
  });
}

const neighbours = () => new Set(AIRPORT_CODES);

describe.each(STORE_KINDS)('A price record of 30 days in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  let repository: PackageRepository;
  const files = new Map<string, string>();
  const lines: RecordLine[] = [];
  /** The number of each package in `seenIn`, by its ItemKey. */
  let numbers = new Map<string, number>();

  beforeAll(async () => {
    store = await makeStore(kind);
    database = await openDatabase(store.address);
    const writer = inventoryWriter(database, { recordsPrices: true });
    await writer.replaceReference(REFERENCE);
    repository = await openOwnRepository(store.address);
    const record = priceRecordReader(database);
    for (let day = START; day < START + DAYS; day += 1) {
      await writer.writeOffers(offersOn(day));
      const options = {
        repository,
        neighbours,
        staleAfterDays: 3,
        today: day,
        nowMs: clockOf(day),
        size: SIZE,
      };
      await publishRecord(database, options);
      // A server that starts later the same day publishes nothing more.
      if (day > START) continue;
      expect(await publishRecord(database, options)).toBeNull();
      await refreshPrices(database, day);
    }
    const catalogue = await storedCatalogue()(database);
    await catalogue.load(seenIn);
    const codes = offerCodes(catalogue);
    numbers = new Map(seenIn.map((offer, nth) => [itemKeyOf(codes(offer)), nth]));
    const { roots, scores } = await record.state();
    for (const name of [...roots.map(({ day }) => `${day}.csv`), 'roots.csv'])
      files.set(name, (await record.file(name)) ?? '');
    files.set('scores.csv', formatScores(scores));
    for (const { day } of roots) lines.push(...linesOf(files.get(`${day}.csv`) ?? ''));
  }, 300_000);

  afterAll(async () => {
    await repository.close();
    await database.close();
    await store.remove();
  });

  it('is a chain that can be verified from downloads alone', async () => {
    const verified = verifyRecord(files);
    expect(verified.days).toBe(DAYS);
    expect(verified.root).toBe(await readNote(database, PRICE_RECORD_ROOT));
    const altered = new Map(files);
    const name = `${fromDayNumber(START + 12)}.csv`;
    altered.set(name, (files.get(name) ?? '').replace(',seen,', ',sold-out,'));
    expect(() => verifyRecord(altered)).toThrow(`${name}, line 19`);
  });

  it('publishes distinct packages on sale with what was known that day', () => {
    const verdicts = lines.filter(({ after }) => after === null);
    expect(verdicts).toHaveLength(DAYS * SIZE);
    expect(new Set(verdicts.map((one) => `${one.drawn} ${one.package}`)).size).toBe(DAYS * SIZE);
    for (const { drawn, package: itemKey, price } of verdicts) {
      const nth = numbers.get(itemKey) ?? Number.NaN;
      expect(price).toBe(priceOn(nth, Math.min(dayNumber(drawn), soldOutOn(nth) - 1)));
    }
    // The model was trained once, after the first day's verdicts.
    for (const { drawn, model } of verdicts) expect(model).toBe(dayNumber(drawn) === START ? null : 1);
  });

  it('settles every verdict with the true price and lowest price of the days after', () => {
    const outcomes = lines.filter(({ after }) => after !== null);
    const due = (after: number) => (DAYS - after - 1) * SIZE;
    expect(outcomes).toHaveLength(due(7) + due(14));
    for (const { drawn, package: itemKey, after, outcome, later, lowest } of outcomes) {
      const nth = numbers.get(itemKey) ?? Number.NaN;
      const first = dayNumber(drawn) + 1;
      const last = dayNumber(drawn) + Number(after);
      const lastSeen = Math.min(last, soldOutOn(nth) - 1);
      if (lastSeen <= last - 3) {
        expect([itemKey, outcome, later, lowest]).toEqual([itemKey, 'sold-out', null, null]);
        continue;
      }
      const prices = Array.from({ length: lastSeen - first + 1 }, (_, day) => priceOn(nth, first + day));
      expect([itemKey, drawn, outcome, later, lowest]).toEqual([
        itemKey,
        drawn,
        'seen',
        prices.at(-1),
        Math.min(...prices),
      ]);
    }
    expect(outcomes.some(({ outcome }) => outcome === 'sold-out')).toBe(true);
  });

  it('learns about waiting from settled lines, and tells the price analysis', async () => {
    const waits = JSON.parse((await readNote(database, PRICE_RECORD_WAITS)) ?? 'null');
    const settled = lines.filter(
      ({ after, outcome, median }) => after === 7 && outcome !== 'not-seen' && median !== null,
    );
    const learnt = Object.values<{ prices: number }>(waits).reduce((sum, { prices }) => sum + prices, 0);
    expect(learnt).toBe(settled.length);
    expect(settled.length).toBeGreaterThan(300);
    // A record of enough prices of every kind gives each package an advice.
    const [offer] = offersOn(START + DAYS - 1);
    if (offer === undefined) throw new Error('Nothing is on sale');
    const daily = Array.from({ length: 9 }, (_, nth) => ({ day: START + nth, price: offer[OFFER.price] }));
    const priced = { offer: offerOf(offer), daily, today: START + 8 };
    expect((await waitAdvice(database))(priced)).toBeNull();
    const kinds = [0, 1, 2].flatMap((own) =>
      [0, 1, 2].flatMap((lead) => [0, 1, 2].map((standing) => `${own}${lead}${standing}`)),
    );
    const bad = { prices: 300, fell: 0, saved: -900, low: -1_000, high: -800, worst: 900, meanPrice: 50_000 };
    const before = JSON.stringify(waits);
    await writeNote(
      database,
      PRICE_RECORD_WAITS,
      JSON.stringify(Object.fromEntries(kinds.map((one) => [one, bad]))),
    );
    const told = 'Book: waiting a week cost £9 on average, for 300 prices like this';
    expect((await waitAdvice(database))(priced)).toBe(told);
    await writeNote(database, PRICE_RECORD_WAITS, before);
  });

  it('counts for each resort how often the range held for a week', async () => {
    const resortOf = new Map(REFERENCE.hotels.map(({ code, resort }) => [code, resort]));
    const expected: Record<string, { prices: number; inRange: number }> = {};
    for (const { package: itemKey, charges, low, high, after, later } of lines) {
      const resort = resortOf.get(itemKey.split(':')[1] ?? '') ?? 0;
      if (after !== null) expected[resort] ??= { prices: 0, inRange: 0 };
      const counts = expected[resort];
      if (after !== 7 || counts === undefined || low === null || high === null || later === null) continue;
      counts.prices += 1;
      counts.inRange += Number(low <= later + charges && later + charges <= high);
    }
    expect(JSON.parse((await readNote(database, PRICE_RECORD_PLACES)) ?? '')).toEqual(expected);
    expect(Object.values(expected).some(({ prices, inRange }) => inRange > 0 && inRange < prices)).toBe(true);
  });

  it('draws the same packages from the same seed, and others from another', async () => {
    const draw = async (seed: string) => {
      const at = { size: SIZE, today: START + DAYS, nowMs: clockOf(START + DAYS) };
      return (await drawPackages(database, repository.search, { seed, ...at })).map(keyText);
    };
    const drawn = await draw('0123456789abcdef');
    expect(await draw('0123456789abcdef')).toEqual(drawn);
    const others = await draw('123456789abcdef0');
    expect(others.filter((key) => drawn.includes(key)).length).toBeLessThan(SIZE / 2);
    // The second half comes from first pages: nothing in the same hotel is cheaper on the same day.
    const onSale = await database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`).rows();
    const offers = onSale as unknown as OfferRow[];
    const group = (offer: OfferRow) =>
      [OFFER.departureDay, OFFER.nights, OFFER.party, OFFER.airport, OFFER.hotel]
        .map((at) => offer[at])
        .join();
    const cheapest = (offer: OfferRow) =>
      offers.every((one) => group(one) !== group(offer) || one[OFFER.price] >= offer[OFFER.price]);
    const fromSearches = offers.filter((offer) => drawn.slice(SIZE / 2).includes(keyText(offer)));
    expect(fromSearches).toHaveLength(SIZE / 2);
    expect(fromSearches.filter(cheapest)).toHaveLength(SIZE / 2);
  });

  it('leaves the packages of a day’s verdicts out of that day’s training', async () => {
    const last = START + DAYS - 1;
    const drawn = await drawnOn(database, last);
    expect(drawn.size).toBe(SIZE);
    expect(await drawnOn(database, last + 1)).toEqual(new Set());
    await refreshPrices(database, last, () => true);
    expect((await readPriceModels(database))?.hedonic).toBeNull();
    await refreshPrices(database, last, (key) => drawn.has(keyText(key)));
    expect((await readPriceModels(database))?.hedonic).not.toBeNull();
  });

  it('lets one of two servers publish a day', async () => {
    const other = await openDatabase(store.address);
    const today = START + DAYS;
    const options = { repository, neighbours, staleAfterDays: 3, today, nowMs: clockOf(today), size: 4 };
    const published = await Promise.all([publishRecord(database, options), publishRecord(other, options)]);
    await other.close();
    expect(published.filter((number) => number !== null)).toEqual([4]);
    const record = priceRecordReader(database);
    const { roots } = await record.state();
    const text = (await record.file(`${fromDayNumber(today)}.csv`)) ?? '';
    expect(roots.at(-1)).toEqual({ day: fromDayNumber(today), root: rootOf(roots.at(-2)?.root ?? '', text) });
  });
});

function linesOf(text: string): RecordLine[] {
  const rows = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const names = (rows[0] ?? '').split(',');
  const isText = (name: string) => /^(drawn|package|verdict|advice|outcome|check)$/.test(name);
  return rows.slice(1).map((row) => {
    const values = row.split(',');
    const value = (name: string, text = '') => (text === '' ? null : isText(name) ? text : Number(text));
    return Object.fromEntries(
      names.map((name, at) => [name, value(name, values[at])]),
    ) as unknown as RecordLine;
  });
}

describe('/price-record', () => {
  it('is published once a day by the thread that then trains the models', async () => {
    const store = await makeStore('embedded');
    const small = await openSmallApp({ store });
    const thread = workerThread(new URL('../../server/workers/price-refresh.ts', import.meta.url), {
      store: store.address,
      sampleSeed: null,
      listsDir: join(import.meta.dirname, '../../assets'),
      staleAfterDays: 3,
    } satisfies RefreshWorkerData);
    try {
      const { api } = thread.part<RefreshWorkerApi>('price refresh', { methods: ['publish', 'refresh'] });
      expect(await api.publish()).toBe(1_000);
      expect(await api.refresh()).toMatchObject({ version: 1 });
      expect(await api.publish()).toBeNull();
      expect((await small.app.inject('/config.json')).json().priceRecordRoot).toMatch(/^[\da-f]{64}$/);
    } finally {
      await thread.terminate();
      await small.close();
    }
  });

  it('shows the record, and serves its files, before and after the first day', async () => {
    const store = await makeStore('embedded');
    const small = await openSmallApp({ store });
    try {
      expect((await small.app.inject('/price-record')).body).toContain('The first file appears');
      const database = await openDatabase(store.address);
      const repository = await openOwnRepository(store.address);
      const today = FIRST_DAY - 30;
      await publishRecord(database, {
        repository,
        neighbours,
        staleAfterDays: 3,
        today,
        nowMs: clockOf(today),
        size: 10,
      });
      const root = (await readNote(database, PRICE_RECORD_ROOT)) ?? '';
      await repository.close();
      await database.close();
      const page = await small.app.inject('/price-record');
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.body).toContain(root);
      expect(page.body).not.toMatch(/<script|style="/);
      const name = `${fromDayNumber(today)}.csv`;
      expect(page.body).toContain(`href="/price-record/${name}"`);
      const file = await small.app.inject(`/price-record/${name}`);
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect((await small.app.inject('/price-record/roots.csv')).body).toContain(`,${root}\n`);
      expect((await small.app.inject('/price-record/scores.csv')).body).toContain('coverage-14,0,0,,,\n');
      expect((await small.app.inject('/price-record/2026-01-01.csv')).statusCode).toBe(404);
      expect((await small.app.inject('/price-record/..%2fnote')).statusCode).toBe(404);
      const downloaded = new Map([[name, file.body]]);
      expect(verifyRecord(downloaded)).toMatchObject({ root });
    } finally {
      await small.close();
    }
  });
});
