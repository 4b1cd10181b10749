import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { isStoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { openPackageRepository } from '../../server/package-search/open-package-repository.ts';
import type { PackageRepository } from '../../server/package-search/package-repository.ts';
import { packageSearch } from '../../server/package-search/search-packages.ts';
import { distribute, isCitus, undistributed } from '../../server/storage/distribute.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { PostgresAddress } from '../../server/storage/store-address.ts';
import { startCitus, type TestCitus } from '../fixtures/citus.ts';
import { withClient } from '../fixtures/postgres.ts';
import { AIRPORT_CODES, DAYS, FIRST_DAY, NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

// One cluster of this file's own, whose nodes are killed. Each test continues where the one before has ended.

const started = await startCitus();
const cluster: TestCitus | null = started.kind === 'citus' ? started.cluster : null;

const COUNTRIES = REFERENCE.countries.map(({ name }) => name);
const SORTS = SORT_OPTIONS.map(({ packageSort }) => packageSort);

/** 320 searches of exact days and windows, countries and resorts. */
const SEARCHES = Array.from({ length: 320 }, (_, nth) => {
  const first = FIRST_DAY + (nth % DAYS);
  const resort = REFERENCE.resorts[nth % REFERENCE.resorts.length];
  const region = REFERENCE.regions.find(({ id }) => id === resort?.region);
  const country = REFERENCE.countries.find(({ id }) => id === region?.country);
  return {
    filters: {
      brand: 'SKY',
      startDate: fromDayNumber(first),
      endDate: fromDayNumber(nth % 3 === 0 ? first + 7 : first + 7 + (nth % 28)),
      departureAirports: nth % 2 === 0 ? AIRPORT_CODES : [AIRPORT_CODES[nth % AIRPORT_CODES.length] ?? ''],
      duration: 7,
      ...(nth % 4 === 0
        ? { country: COUNTRIES[nth % COUNTRIES.length] ?? '' }
        : { country: country?.name ?? '', region: region?.name ?? '', resort: resort?.name ?? '' }),
    },
    limit: 10 + (nth % 40),
    sortBy: SORTS[nth % SORTS.length],
  };
});

function searchOver(repository: PackageRepository) {
  return packageSearch({
    repository,
    brandCode: 'SKY',
    collapse: 'hotel',
    tokenKey: Buffer.from('a key'),
    now: () => NOW,
  });
}

/** An answer without its page token, in which each store names its own version, and its number of statements. */
function textOf(answer: object): string {
  return JSON.stringify({ ...answer, nextToken: null, queriesExecuted: null });
}

async function answersOf(repository: PackageRepository): Promise<string[]> {
  const search = searchOver(repository);
  const answers: string[] = [];
  for (const request of SEARCHES) answers.push(textOf(await search(request)));
  return answers;
}

async function fill(address: PostgresAddress | TestStore['address'], offers: readonly OfferRow[]) {
  const writer = await openInventoryWriter(address);
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(offers);
  await writer.close();
}

function nodesOf({ coordinator, workers }: TestCitus) {
  return [coordinator, ...workers];
}

describe.runIf(cluster !== null)('A PostgreSQL that grows into Citus', () => {
  const name = `grown_${randomBytes(6).toString('hex')}`;
  const nodes = cluster === null ? [] : nodesOf(cluster);
  const [coordinator, ...workers] = nodes;
  const address: PostgresAddress = {
    kind: 'postgresql',
    url: coordinator?.urlOf(name) ?? '',
    readUrls: [],
  };
  const offers = smallOffers();
  let embedded: TestStore;
  let expected: PackageRepository;
  let repository: PackageRepository;

  beforeAll(async () => {
    for (const node of nodes) {
      await withClient(node.urlOf('postgres'), (client) => client.query(`create database ${name}`));
    }
    embedded = await makeStore('embedded');
    await fill(embedded.address, offers);
    await fill(address, offers);
    expected = await openPackageRepository(embedded.address);
    repository = await openPackageRepository(address);
  }, 120_000);
  afterAll(async () => {
    await repository.close();
    await expected.close();
    await embedded.remove();
    await cluster?.remove();
  }, 60_000);

  it('is moved to its workers, and answers every search byte for byte as the embedded store', async () => {
    const before = await answersOf(repository);
    expect(before).toEqual(await answersOf(expected));
    expect(new Set(before).size).toBeGreaterThan(30);
    for (const node of nodes) {
      await withClient(node.urlOf(name), (client) => client.query('create extension citus'));
    }
    await withClient(address.url, async (client) => {
      const portOf = (url: string) => Number(new URL(url).port);
      await client.query('select citus_set_coordinator_host($1, $2)', ['127.0.0.1', portOf(address.url)]);
      for (const worker of workers) {
        await client.query('select citus_add_node($1, $2)', ['127.0.0.1', portOf(worker.urlOf(name))]);
      }
    });
    const database = openDatabase(address);
    expect(isCitus(database)).toBe(true);
    expect(distribute(database, () => {})).toContain('offer');
    expect(undistributed(database)).toEqual([]);
    expect(distribute(database, () => {})).toEqual([]);
    database.close();
    expect(await answersOf(repository)).toEqual(before);
  }, 240_000);

  it('writes prices as the embedded store does', async () => {
    const cheaper = offers.map(
      (offer) => offer.with(OFFER.price, offer[OFFER.price] + 100) as unknown as OfferRow,
    );
    for (const store of [embedded.address, address]) {
      const writer = await openInventoryWriter(store);
      await writer.writeOffers(cheaper);
      await writer.close();
    }
    expect(await answersOf(repository)).toEqual(await answersOf(expected));
  }, 240_000);

  it('goes on with the days that it holds when a worker is killed, writes nothing in part, and recovers', async () => {
    const before = await answersOf(repository);
    await workers[0]?.kill();
    const search = searchOver(repository);
    const outcomes: ('same' | 'other' | 'unavailable')[] = [];
    for (const [nth, request] of SEARCHES.entries()) {
      try {
        outcomes.push(textOf(await search(request)) === before[nth] ? 'same' : 'other');
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        outcomes.push('unavailable');
      }
    }
    expect(outcomes).not.toContain('other');
    expect(outcomes).toContain('same');
    expect(outcomes).toContain('unavailable');
    const dearer = offers.map(
      (offer) => offer.with(OFFER.price, offer[OFFER.price] + 900) as unknown as OfferRow,
    );
    const writer = await openInventoryWriter(address);
    await expect(writer.writeOffers(dearer)).rejects.toThrow('cannot be reached at the moment');
    await workers[0]?.start();
    await vi.waitFor(async () => expect(await answersOf(repository)).toEqual(before), {
      timeout: 60_000,
      interval: 500,
    });
    await writer.writeOffers(dearer);
    await writer.close();
    expect(await answersOf(repository)).not.toEqual(before);
  }, 240_000);
});

it.runIf(cluster === null)('Citus is left out where there is none, and says why', () => {
  expect(started).toEqual({ kind: 'left out', reason: expect.stringMatching(/./) });
});
