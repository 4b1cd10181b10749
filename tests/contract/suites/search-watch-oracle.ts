import { join } from 'node:path';
import { expect } from 'vitest';
import { priceChangeQueue } from '../../../server/alerts/matching/price-change-queue.ts';
import { searchWatches } from '../../../server/alerts/tables/search-watches.ts';
import { openStaging } from '../../../server/feed/write/staging.ts';
import { storeImport } from '../../../server/feed/write/store-import.ts';
import type { OfferRow } from '../../../server/inventory/inventory.ts';
import { totalPrice } from '../../../server/inventory/offer-charges.ts';
import { KEY_COLUMNS, OFFER } from '../../../server/inventory/offer-columns.ts';
import { referenceState } from '../../../server/inventory/tables/reference-tables.ts';
import { openDatabase } from '../../../server/storage/open/database.ts';
import { searchBody } from '../../fixtures/alerts/search-body.ts';
import { seeded } from '../../fixtures/alerts/seeded.ts';
import { openSmallAlerts } from '../../fixtures/alerts/small-alerts.ts';
import { FIRST_DAY, REFERENCE, smallOffers } from '../../fixtures/small-inventory.ts';
import { appliedPlainly, PLAIN_LINES } from '../../fixtures/staged-lines.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import type { StoreKind } from '../../fixtures/test-stores.ts';

const DAY_MS = 24 * 3_600_000;

/** How each import is compared: no price is implausible. */
const COMPARED = {
  provider: 1,
  limits: { percent: 100, quarantine: { day: 0, isRepeated: false, isReleasing: true } },
  checkedAfter: null,
  lines: PLAIN_LINES,
};

interface Sizes {
  watches: number;
  imports: number;
  /** Packages that each import changes, adds or removes. */
  changes: number;
  seed: number;
}

/** What the definition says of a watch (docs/decisions/0101). Null: infinite. */
interface Model {
  matches: (offer: OfferRow) => boolean;
  limit: number;
  told: number | null;
  isDue: boolean;
}

function fires({ limit, told }: Model, lowest: number | null): lowest is number {
  return lowest !== null && lowest <= limit && (told === null || lowest < told);
}

/**
 * Imports random changes, some of which fail or are killed, and compares the watches that have fired and the prices
 * last sent with the definition, which reads every watch's packages after every import.
 */
export async function compareWithDefinition(
  store: StoreKind,
  sizes: Sizes,
): Promise<{ fired: number; sent: number }> {
  const random = seeded(sizes.seed);
  const below = (most: number) => Math.floor(random() * most);
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const alerts = await openSmallAlerts({
    store,
    variables: { ALERT_CONFIRMATION: 'none', ALERT_QUIET_HOURS: 'none', ALERT_RATE: '1000' },
  });
  const database = await openDatabase(alerts.address);
  const folder = temporaryFolder();
  const keyOf = (offer: readonly unknown[]) => offer.slice(0, KEY_COLUMNS.length).join();
  const onSale = new Map(smallOffers().map((offer) => [keyOf(offer), offer]));
  const gone: OfferRow[] = [];
  const usual = new Map([...onSale].map(([key, offer]) => [key, offer[OFFER.price]]));
  const models = new Map<number, Model>();
  const sql = alerts.parts.store.sql;

  const lowest = (model: Model): number | null => {
    const minute = Math.floor(alerts.now() / 60_000);
    const today = Math.floor(alerts.now() / DAY_MS);
    let least: number | null = null;
    for (const offer of onSale.values()) {
      if (offer[OFFER.expiresAt] <= minute || offer[OFFER.departureDay] <= today || !model.matches(offer))
        continue;
      const total = totalPrice(offer);
      if (least === null || total < least) least = total;
    }
    return least;
  };

  for (let nth = 0; nth < sizes.watches; nth += 1) {
    const { query, matches } = randomSearch(below, oneOf);
    const start = lowest({ matches, limit: 0, told: null, isDue: false });
    // Many limits are close to the price, as those that the page offers.
    const limit = start === null ? 450 + below(600) : Math.ceil((start / 100) * (0.8 + random() * 0.3));
    const phone = `4477${String(10_000_000 + nth)}`;
    expect(
      await alerts.service.signUp({ body: searchBody(phone, query, { limit }), address: '198.51.100.7' }),
      query,
    ).toMatchObject({ kind: 'ok' });
    const model: Model = { matches, limit: limit * 100, told: null, isDue: false };
    if (start !== null && start <= model.limit) model.told = start;
    models.set(Number((await sql.get`select max(watch) as id from alert_search`)?.id), model);
  }

  // The welcomes, of which the limit per second allows no more at this instant.
  await alerts.parts.dispatcher.drain();

  /** One import: some packages change in some way, some leave, and some return. */
  function randomChanges(at: number): { writes: OfferRow[]; removals: OfferRow[] } {
    const writes = new Map<string, OfferRow>();
    const removals = new Map<string, OfferRow>();
    const all = [...onSale.values()];
    for (let nth = 0; nth < sizes.changes; nth += 1) {
      const offer = oneOf(all);
      const kind = random();
      if (kind < 0.1) removals.set(keyOf(offer), offer);
      else if (kind < 0.2 && gone.length > 0) {
        const [back] = gone.splice(below(gone.length), 1);
        if (back !== undefined) writes.set(keyOf(back), back);
      } else if (kind < 0.25)
        writes.set(keyOf(offer), offer.with(OFFER.halfStars, 4 + below(7)) as unknown as OfferRow);
      else if (kind < 0.3)
        writes.set(
          keyOf(offer),
          offer.with(
            OFFER.expiresAt,
            Math.floor(alerts.now() / 60_000) + below(20 * 1440),
          ) as unknown as OfferRow,
        );
      else {
        // The market rises and falls over some imports.
        const factor = (1 + 0.3 * Math.sin(at / 2)) * (0.93 + random() * 0.14);
        const price = Math.round((usual.get(keyOf(offer)) ?? offer[OFFER.price]) * factor);
        writes.set(keyOf(offer), offer.with(OFFER.price, price) as unknown as OfferRow);
      }
    }
    for (const key of writes.keys()) removals.delete(key);
    return { writes: [...writes.values()], removals: [...removals.values()] };
  }

  /** A process that imports. It may fail, or be killed before it has matched its changes. */
  async function importOf(changes: ReturnType<typeof randomChanges>, end: 'whole' | 'failed' | 'killed') {
    const queue = priceChangeQueue(database, alerts.now);
    const stopping = new AbortController();
    let isWritten = false;
    // The definition speaks of the time after an import, so no watch is looked at before.
    const settle = async () => {
      if (isWritten) await (end === 'killed' ? queue.settleInTurns(stopping.signal) : queue.settle());
    };
    const writing = await storeImport(database, { ...queue, settle });
    const staging = openStaging(join(folder.path, 'staging'));
    for (const [isDeleted, rows] of [
      [false, changes.writes],
      [true, changes.removals],
    ] as const)
      for (const [line, row] of rows.entries()) staging.add(row, line, { sequence: 0, isDeleted });
    const feed = { code: 'SUNW', staging, part: 'changes' } as const;
    const difference = await writing.compare({ ...feed, ...COMPARED });
    setImmediate(() => stopping.abort());
    const imported = writing.apply({
      ...feed,
      difference,
      ...appliedPlainly(1),
      version: await referenceState(database),
      async finish() {
        if (end === 'failed') throw new Error('The import fails');
        isWritten = true;
      },
    });
    if (end === 'failed') await expect(imported).rejects.toThrow('The import fails');
    else await imported;
    await writing.close();
    staging.close();
    // The server's own process finds what a killed one has left.
    if (end === 'killed') await priceChangeQueue(database, alerts.now).settle();
  }

  let fired = 0;
  let sent = 0;
  for (let nth = 0; nth < sizes.imports; nth += 1) {
    const changes = randomChanges(nth);
    const end = nth % 7 === 3 ? 'failed' : nth % 5 === 2 ? 'killed' : 'whole';
    await importOf(changes, end);
    if (end !== 'failed') {
      for (const offer of changes.removals) {
        gone.push(offer);
        onSale.delete(keyOf(offer));
      }
      for (const offer of changes.writes) onSale.set(keyOf(offer), offer);
      for (const model of models.values()) {
        const now = lowest(model);
        const { limit, told } = model;
        if (told !== null && (now === null || (now > limit && now * 100 >= told * 105))) model.told = null;
        if (fires(model, now)) {
          if (!model.isDue) fired += 1;
          model.isDue = true;
        }
      }
    } else for (const offer of changes.writes) if (!onSale.has(keyOf(offer))) gone.push(offer);
    await compare(`after import ${nth}, ${end}`);
    if (nth % 4 === 3) {
      alerts.passTime(DAY_MS + 1);
      await alerts.parts.dispatcher.drain();
      for (const model of models.values()) {
        const now = lowest(model);
        if (!model.isDue) continue;
        model.isDue = false;
        if (!fires(model, now)) continue;
        model.told = now;
        sent += 1;
      }
      await compare(`after the messages that follow import ${nth}`);
    }
  }
  await database.close();
  await alerts.close();
  folder.remove();
  return { fired, sent };

  async function compare(when: string): Promise<void> {
    const rows = await searchWatches(alerts.parts.store, 'true');
    const actual = rows.map(({ watch, told, isDue }) => ({ watch, told, isDue }));
    const expected = [...models].map(([watch, { told, isDue }]) => ({ watch, told, isDue }));
    expect(
      actual.toSorted((one, other) => one.watch - other.watch),
      when,
    ).toEqual(expected);
  }
}

const AIRPORTS: Readonly<Record<string, readonly number[]>> = {
  LGW: [1],
  MAN: [2],
  STN: [3],
  'region:LOND': [1, 3],
};

/** A query, and what it means for a package of the small inventory. */
function randomSearch(below: (most: number) => number, oneOf: <T>(items: readonly T[]) => T) {
  const { countries, regions, resorts, hotels, boards } = REFERENCE;
  const tests: ((offer: OfferRow) => boolean)[] = [];
  const query = new URLSearchParams();
  const places = Array.from({ length: 1 + below(2) }, () => {
    const resort = oneOf(resorts);
    const region = regions.find(({ id }) => id === resort.region) ?? oneOf(regions);
    const country = countries.find(({ id }) => id === region.country) ?? oneOf(countries);
    const level = below(3);
    const names = [country.name, level > 0 ? region.name : '', level > 1 ? resort.name : ''] as const;
    const has = (offer: OfferRow) =>
      offer[OFFER.country] === country.id &&
      (level < 1 || offer[OFFER.region] === region.id) &&
      (level < 2 || offer[OFFER.resort] === resort.id);
    return { names, has };
  });
  for (const [nth, { names }] of places.entries())
    if (nth > 0) query.append('or', names.join('|'));
    else
      for (const [at, name] of (['country', 'region', 'resort'] as const).entries())
        if (names[at]) query.append(name, names[at] ?? '');
  tests.push((offer) => places.some(({ has }) => has(offer)));
  const from = oneOf(Object.keys(AIRPORTS));
  query.append('from', from);
  tests.push((offer) => (AIRPORTS[from] ?? []).includes(offer[OFFER.airport]));
  const day = FIRST_DAY + below(12);
  const date = (at: number) => new Date(at * DAY_MS).toISOString().slice(0, 10);
  query.append('date', date(day));
  const isLong = below(4) === 0;
  const flex = isLong ? 0 : oneOf([0, 1, 3]);
  const last = isLong ? day + below(40) : day + flex;
  if (isLong) query.append('until', date(last));
  if (flex > 0) query.append('flex', String(flex));
  tests.push((offer) => offer[OFFER.departureDay] >= day - flex && offer[OFFER.departureDay] <= last);
  const nights = oneOf(['4', '7', '4-7']);
  query.append('nights', nights);
  tests.push((offer) => nights.split('-').some((one) => Number(one) === offer[OFFER.nights]));
  const hasChild = below(2) === 1;
  if (hasChild) query.append('children', '1');
  tests.push((offer) => offer[OFFER.party] === (hasChild ? 2 : 1));
  if (below(3) === 0) {
    const board = oneOf(boards);
    query.append('board', board.code);
    tests.push((offer) => offer[OFFER.board] === board.id);
  }
  if (below(4) === 0) {
    const stars = 2 + below(4);
    query.append('stars', String(stars));
    tests.push((offer) => Math.floor(offer[OFFER.halfStars] / 2) === stars);
  }
  if (!isLong && below(3) === 0) {
    const hotel = oneOf(hotels);
    query.append('hotelcode', hotel.code);
    tests.push((offer) => offer[OFFER.hotel] === hotel.id);
  }
  if (!isLong && below(4) === 0) {
    query.append('minstars', '3.5');
    tests.push((offer) => offer[OFFER.halfStars] >= 7);
  }
  return { query: query.toString(), matches: (offer: OfferRow) => tests.every((test) => test(offer)) };
}
