import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { deadlineIn } from '../../server/lib/deadline.ts';
import { mapInOrder } from '../../server/lib/map-in-order.ts';
import { isStoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { packageSearch } from '../../server/package-search/fields/search-packages.ts';
import type { PackageRepository } from '../../server/package-search/query/package-repository.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { checkCitus } from '../../server/storage/citus/check.ts';
import {
  distribute,
  removeLocalRows,
  tablesWithLocalRows,
  undistributed,
} from '../../server/storage/citus/distribute.ts';
import { openDatabase, openDatabaseForReading } from '../../server/storage/open/database.ts';
import { openReadPool } from '../../server/storage/open/read-pool.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import type { PostgresAddress } from '../../server/storage/store-address.ts';
import { sharedUnreachableDays } from '../../server/storage/unreachable-days.ts';
import { startCitus, type TestCitus } from '../fixtures/citus.ts';
import { expectTrueBlocks } from '../fixtures/expect-true-blocks.ts';
import { FEED_NOW, feedItem, ndjson } from '../fixtures/feed-site.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import { importInProcess } from '../fixtures/import-process.ts';
import { withClient } from '../fixtures/postgres.ts';
import type { PriceWriting, PriceWritingEnd } from '../fixtures/price-writer-worker.ts';
import { AIRPORT_CODES, DAYS, FIRST_DAY, NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';

// This file has its own cluster, because it kills nodes. Each test continues where the last one ended.

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

/**
 * A response without its page token and source, which contain the store's version, and without its number of
 * statements.
 */
function textOf(answer: object): string {
  return JSON.stringify({ ...answer, nextToken: null, madeFrom: null, queriesExecuted: null });
}

/** Enough searches to cover every day and resort, after each fault. */
const SOME = 48;

async function answersOf(repository: PackageRepository, most = SEARCHES.length): Promise<string[]> {
  const search = searchOver(repository);
  const answers: string[] = [];
  for (const request of SEARCHES.slice(0, most))
    answers.push(textOf(await search(parseArguments('searchPackages', request))));
  return answers;
}

async function fill(address: PostgresAddress | TestStore['address'], offers: readonly OfferRow[]) {
  const writer = await openInventoryWriter(address);
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(offers);
  await writer.close();
}

function pricedBy(more: number): OfferRow[] {
  return smallOffers().map(
    (offer) => offer.with(OFFER.price, offer[OFFER.price] + more) as unknown as OfferRow,
  );
}

/** The names of a table's shards on a worker. `worker` is the database's URL there. */
async function shardsOn(worker: string, table: string): Promise<string[]> {
  const coordinator = cluster?.coordinator.urlOf(new URL(worker).pathname.slice(1)) ?? '';
  return withClient(coordinator, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select cast(shard_name as text) as name from citus_shards
        where table_name = cast($1 as regclass) and nodeport = $2`,
      [table, Number(new URL(worker).port)],
    );
    return rows.map((row) => row.name);
  });
}

const WAITING = { timeout: 60_000, interval: 200 };

/** For each search, whether its response is the same as before, a different one, or missing. */
async function outcomesOf(repository: PackageRepository, before: readonly string[]) {
  const search = searchOver(repository);
  const outcomes: ('same' | 'other' | 'unavailable')[] = [];
  for (const [nth, answer] of before.entries()) {
    const request = SEARCHES[nth];
    if (request === undefined) break;
    try {
      outcomes.push(
        textOf(await search(parseArguments('searchPackages', request))) === answer ? 'same' : 'other',
      );
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      outcomes.push('unavailable');
    }
  }
  return outcomes;
}

/** For each day, whether its packages can be read. */
async function outcomesByDay(database: SqlDatabase): Promise<('read' | 'unavailable')[]> {
  return mapInOrder([0, 1, 2, 3, 4, 5], async (nth) => {
    try {
      await database.prepare('select count(*) from offer where departure_day = ?').rows(FIRST_DAY + nth);
      return 'read';
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return 'unavailable';
    }
  });
}

/** Waits until all searches return the results of one of these states, and returns that state. */
function untilAll(repository: PackageRepository, states: readonly string[][]): Promise<string[]> {
  return vi.waitFor(async () => {
    const answers = await answersOf(repository, SOME);
    const state = states.find((one) => one.every((answer, nth) => answer === answers[nth]));
    if (state === undefined) throw new Error('The answers are those of no state');
    return state;
  }, WAITING);
}

/** Writes offers in a thread. `during` runs once the thread begins to write. */
async function writeInThread(
  address: PostgresAddress,
  offers: readonly OfferRow[],
  during: () => Promise<void>,
): Promise<PriceWritingEnd> {
  const workerData: PriceWriting = { address, offers };
  const worker = new Worker(new URL('../fixtures/price-writer-worker.ts', import.meta.url), { workerData });
  await once(worker, 'message');
  const ended = once(worker, 'message');
  await during();
  const [end] = (await ended) as [PriceWritingEnd];
  await worker.terminate();
  return end;
}

/** The prices of a provider's packages, with the number of packages at each. */
async function pricesOf(
  database: SqlDatabase,
  provider: string,
): Promise<[price: number, packages: number][]> {
  return (await database
    .prepare(
      `select price, count(*) from offer where provider = (select id from provider where code = ?)
        group by price`,
    )
    .rows(provider)) as [number, number][];
}

/** Starts an operator's command in its own process. */
function startCommand(
  name: 'distribute' | 'feed',
  args: readonly string[],
  store: PostgresAddress,
  dataDir: string,
) {
  const key = 'a'.repeat(64);
  const script = join(import.meta.dirname, `../../server/cli/${name}.ts`);
  const command = spawn(process.execPath, [script, ...args], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: store.url,
      TOKEN_KEY: key,
      ALERTS_KEY: key,
      SAMPLE_INVENTORY: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(command, 'exit');
  return {
    isRunning: () => command.exitCode === null && command.signalCode === null,
    output: text(command.stdout),
    async kill() {
      command.kill('SIGKILL');
      await ended;
    },
  };
}

const FEED_PACKAGES = 2_000;

/** Selects the ID of the provider of the feeds. */
const SUNWARD = `select id as number from provider where code = 'SUNW'`;

/** Imports a feed whose packages all have one price. Returns false if the import failed. */
async function importFeed(
  store: PostgresAddress,
  dataDir: string,
  price: number,
  during: () => Promise<void>,
): Promise<boolean> {
  const items = Array.from({ length: FEED_PACKAGES }, (_, nth) =>
    feedItem({
      TotalPrice: price,
      HotelIdentifierCode: `H${nth % 100}`,
      HotelName: `Hotel ${nth % 100}`,
      DepartureDate: fromDayNumber(FIRST_DAY + Math.floor(nth / 100)),
    }),
  );
  const lists = join(import.meta.dirname, '../../assets');
  const providers = {
    providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] }],
  };
  const importing = importInProcess({
    store,
    dataDir,
    lists,
    providers,
    provider: 'SUNW',
    feeds: [ndjson(items)],
    imports: 1,
    now: FEED_NOW,
  });
  const isImported = importing.then(
    () => true,
    () => false,
  );
  await during();
  return isImported;
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
    unreachableDays: sharedUnreachableDays(),
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
    expected = await openPackageRepository(embedded.address, readersOf(embedded.address));
    repository = await openPackageRepository(address, readersOf(address));
  }, 120_000);
  afterAll(async () => {
    await repository.close();
    await expected.close();
    await embedded.remove();
    await cluster?.remove();
  }, 60_000);

  /** Tries once to remove the moved rows from the coordinator. Returns the tables that still have some. */
  const leftRows = () => withClient(address.url, (client) => removeLocalRows(client, deadlineIn(0)));

  async function numberOf(sql: string, client?: pg.Client): Promise<number> {
    if (client === undefined) return withClient(address.url, (opened) => numberOf(sql, opened));
    return Number((await client.query<{ number: unknown }>(sql)).rows[0]?.number);
  }

  /** Records on the coordinator the decision to commit what a worker has prepared. */
  async function noteDecision(client: pg.Client, worker: string, gid: string): Promise<void> {
    const note = `insert into pg_dist_transaction (groupid, gid)
      select groupid, $1 from pg_dist_node where nodeport = $2`;
    await client.query(note, [gid, Number(new URL(worker).port)]);
  }

  /**
   * Prepares statements on every worker, records the decision to commit them, and runs `work` before any of
   * them commits. `conclude` waits until a process waits for the commits, then allows them.
   */
  async function whilePrepared(
    statementsOn: (worker: string) => Promise<string[]>,
    work: (conclude: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    await withClient(address.url, async (client) => {
      // While this transaction is open, no server commits what is prepared under its number.
      await client.query('begin; lock table pg_dist_transaction');
      const number = await numberOf(
        'select transaction_number as number from get_current_transaction_id()',
        client,
      );
      for (const [nth, worker] of workers.entries()) {
        const url = worker.urlOf(name);
        const gid = `citus_0_999999_${number}_${nth}`;
        const statements = (await statementsOn(url)).join(' ');
        await withClient(url, (one) => one.query(`begin; ${statements} prepare transaction '${gid}'`));
        await noteDecision(client, url, gid);
      }
      await work(async () => {
        const pausing = `select 1 as number from pg_stat_activity where query like 'select pg_sleep%'`;
        await vi.waitFor(async () => expect(await numberOf(pausing)).toBe(1), WAITING);
        await client.query('commit');
      });
    });
  }

  it('moves to its workers, and returns the same search results as the embedded store, byte for byte', async () => {
    const before = await answersOf(expected);
    expect(await answersOf(repository, SOME)).toEqual(before.slice(0, SOME));
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
    const database = await openDatabase(address);
    expect((await checkCitus(address.url)).map(({ level, summary }) => `${level}: ${summary}`)).toEqual([
      'ok: Citus: 2 workers respond.',
      expect.stringContaining('offer'),
    ]);
    // Removes departed packages as a server does: first their history.
    const removing = await openDatabase(address);
    const held = await holdTransaction(removing, 'price blocks');
    await held.run((tx) => tx.exec('delete from price_observation where departure_day < 0'));
    // Like pg_dump, this transaction keeps the table locked until it ends.
    await withClient(address.url, async (reader) => {
      await reader.query('begin; select count(*) from offer');
      const command = startCommand('distribute', [], address, embedded.folder);
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`;
      await vi.waitFor(async () => expect(await database.prepare(waiting).rows()).toHaveLength(1), WAITING);
      await held.run((tx) => tx.exec('delete from offer where departure_day < 0'));
      await held.commit();
      await removing.close();
      const some = before.slice(0, SOME);
      do {
        expect(await outcomesOf(repository, some)).toEqual(some.map(() => 'same'));
      } while ((await withClient(address.url, undistributed)).length > 0);
      const until = performance.now() + 5_000;
      while (performance.now() < until) {
        expect(await outcomesOf(repository, some)).toEqual(some.map(() => 'same'));
      }
      expect(command.isRunning()).toBe(true);
      await command.kill();
      expect(await command.output).toContain('Moving offer');
    });
    expect(await withClient(address.url, (client) => distribute(client))).toEqual([]);
    await database.close();
    expect(await answersOf(repository)).toEqual(before);
    // A server that is already running would check for Citus only every ten seconds.
    await repository.close();
    repository = await openPackageRepository(address, readersOf(address));
  }, 240_000);

  it('runs a query whose table is distributed while the query is planned', async () => {
    const pool = await openReadPool(address, 'version');
    await withClient(address.url, async (client) => {
      await client.query('set client_min_messages = error');
      await client.query('create table planned (day int); insert into planned values (1), (2)');
      // The planner runs immutable functions, so this one delays it.
      await client.query(`create function first_day() returns int immutable language plpgsql
        as 'begin perform pg_sleep(2); return 1; end'`);
      const question = {
        name: 'planned',
        text: 'select count(*) from planned where day = first_day()',
        values: [],
      };
      const answers = [
        pool.read('none', ({ query }) => query(question)),
        pool.read('none', ({ inSnapshot }) => inSnapshot((query) => query(question), false)),
      ];
      const planning = `select count(*) as number from pg_stat_activity where query = '${question.text}'`;
      // Both queries share a connection, so the second is planned after the first.
      await vi.waitFor(async () => expect(await numberOf(planning)).toBe(1), WAITING);
      await client.query(`select create_distributed_table('planned', 'day')`);
      expect(await Promise.all(answers)).toEqual([[[1]], [[1]]]);
      await client.query('drop table planned; drop function first_day');
    });
    await pool.close();
  }, 60_000);

  it('removes, with the next run, rows that a killed run left on the coordinator', async () => {
    const before = await answersOf(repository, SOME);
    const database = await openDatabase(address);
    expect(await withClient(address.url, tablesWithLocalRows)).toContain('offer');
    expect((await checkCitus(address.url))[1]).toEqual({
      level: 'warn',
      summary: expect.stringMatching(/^Citus: the coordinator still holds rows of offer\b/),
      remedy: expect.stringContaining('npm run distribute'),
    });
    await withClient(address.url, async (reader) => {
      await reader.query('begin; lock table only offer in access share mode');
      expect(await leftRows()).toEqual(['offer']);
    });
    const command = startCommand('distribute', [], address, embedded.folder);
    expect(await command.output).toMatch(/^Removing the moved rows of offer .*\nEvery table is distributed/);
    expect(await withClient(address.url, tablesWithLocalRows)).toEqual([]);
    expect((await checkCitus(address.url)).filter(({ level }) => level !== 'ok')).toEqual([]);
    await database.close();
    expect(await answersOf(repository, SOME)).toEqual(before);
  }, 120_000);

  it('lets the doctor name each table with another distribution, and how to repair it', async () => {
    const before = await answersOf(repository, SOME);
    const database = await openDatabase(address);
    await withClient(address.url, async (client) => {
      await client.query('set client_min_messages = error');
      for (const table of ['offer_staged', 'price_observation', 'board']) {
        await client.query(`select undistribute_table('${table}')`);
      }
      await client.query(`select create_distributed_table('offer_staged', 'hotel')`);
      await client.query(
        `select create_distributed_table('price_observation', 'departure_day', colocate_with => 'none')`,
      );
      await client.query(`select create_distributed_table('board', 'id')`);
      for (const table of ['offer_staged', 'price_observation', 'board']) {
        await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
      }
    });
    const findings = (await checkCitus(address.url)).filter(({ level }) => level !== 'ok');
    expect(findings.map(({ summary }) => summary)).toEqual([
      'Citus: price_observation is not colocated with offer.',
      'Citus: offer_staged is not distributed by departure_day.',
      'Citus: board is not a reference table.',
    ]);
    for (const { remedy } of findings) {
      const [, statement = ''] =
        /Run "(select undistribute_table.*)" on .* npm run distribute/.exec(remedy ?? '') ?? [];
      await withClient(address.url, (client) => client.query(statement));
    }
    expect(await withClient(address.url, (client) => distribute(client))).toHaveLength(3);
    expect(await leftRows()).toEqual([]);
    expect((await checkCitus(address.url)).filter(({ level }) => level !== 'ok')).toEqual([]);
    await database.close();
    expect(await answersOf(repository, SOME)).toEqual(before);
  }, 120_000);

  it('lets the doctor find a prepared transaction that was never concluded', async () => {
    const leftPrepared = async (seconds?: number) =>
      (await checkCitus(address.url, seconds)).filter(({ level }) => level !== 'ok');
    const url = workers[1]?.urlOf(name) ?? '';
    const node = `127.0.0.1:${new URL(url).port}`;
    await withClient(url, (client) =>
      client.query(`begin; create table left_over (id int); prepare transaction 'left over'`),
    );
    expect(await leftPrepared()).toEqual([]);
    expect(await leftPrepared(0)).toEqual([
      {
        level: 'warn',
        summary: expect.stringContaining(
          `prepared transactions are left on the node ${node}: 1, the oldest for `,
        ),
        remedy: expect.stringContaining('pg_prepared_xacts'),
      },
    ]);
    await withClient(url, (client) => client.query(`rollback prepared 'left over'`));
    expect(await leftPrepared(0)).toEqual([]);
  }, 120_000);

  it('writes prices as the embedded store does', async () => {
    for (const store of [embedded.address, address]) {
      const writer = await openInventoryWriter(store);
      await writer.writeOffers(pricedBy(100));
      await writer.close();
    }
    expect(await answersOf(repository, SOME)).toEqual(await answersOf(expected, SOME));
  }, 240_000);

  it('still serves the other days when a worker is killed, writes nothing in part, and recovers', async () => {
    const before = await answersOf(repository, SOME);
    await workers[0]?.kill();
    const database = openDatabaseForReading(address);
    expect((await checkCitus(address.url))[0]).toMatchObject({
      summary: expect.stringMatching(/^The worker 127\.0\.0\.1:\d+ does not respond/),
      remedy: expect.stringMatching(/is running.* password .*pg_dist_authinfo.*pg_hba\.conf/),
    });
    await database.close();
    const outcomes = await outcomesOf(repository, before);
    expect(outcomes).not.toContain('other');
    expect(outcomes).toContain('same');
    expect(outcomes).toContain('unavailable');
    const writer = await openInventoryWriter(address);
    await expect(writer.writeOffers(pricedBy(900))).rejects.toThrow('cannot be reached at the moment');
    await workers[0]?.start();
    await untilAll(repository, [before]);
    await writer.writeOffers(pricedBy(900));
    await writer.close();
    expect(await answersOf(repository, SOME)).not.toEqual(before);
  }, 240_000);

  it('still serves the other days when a worker hangs, and recovers', async () => {
    const before = await answersOf(repository, SOME);
    workers[0]?.pause();
    // Each of these searches for one day is running when the worker is found to be silent.
    const search = searchOver(repository);
    const ofOneDay = SEARCHES.slice(0, SOME).filter((_, nth) => nth % 3 === 0);
    const onTheirWay = await Promise.allSettled(
      ofOneDay.map((request) => search(parseArguments('searchPackages', request))),
    );
    const outcomesAfter = await outcomesOf(repository, before);
    for (const [third, outcome] of onTheirWay.entries()) {
      const isHeld = outcomesAfter[third * 3] === 'same';
      expect(outcome.status).toBe(isHeld ? 'fulfilled' : 'rejected');
      if (outcome.status === 'fulfilled') expect(textOf(outcome.value)).toBe(before[third * 3]);
      else expect(isStoreUnavailable(outcome.reason)).toBe(true);
    }
    // Otherwise each round would wait for the statement timeout, and leave the coordinator's connections
    // behind.
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await outcomesOf(repository, before);
      expect(outcomes).not.toContain('other');
      expect(outcomes).toContain('same');
      expect(outcomes).toContain('unavailable');
    }
    await expect(repository.partiesOnSale(NOW)).rejects.toThrow('cannot be reached at the moment');
    for (const waitedFor of [
      openDatabaseForReading(address),
      await openDatabase(address, { interactive: true }),
    ]) {
      const byDay = await outcomesByDay(waitedFor);
      expect(new Set(byDay)).toEqual(new Set(['read', 'unavailable']));
      // No statement is sent to the silent worker.
      for (const [nth, outcome] of byDay.entries()) {
        const require = () => waitedFor.cluster?.requireDays([FIRST_DAY + nth]);
        if (outcome === 'read') expect(require).not.toThrow();
        else expect(require).toThrow('cannot be reached at the moment');
      }
      await waitedFor.close();
    }
    expect((await repository.catalogue()).providers.size).toBeGreaterThan(0);
    workers[0]?.resume();
    await untilAll(repository, [before]);
    const database = await openDatabase(address);
    database.cluster?.requireDays(Array.from({ length: DAYS }, (_, nth) => FIRST_DAY + nth));
    await database.close();
  }, 120_000);

  it('still serves the other days when a worker accepts no new connections, and recovers', async () => {
    const before = await answersOf(repository, SOME);
    workers[0]?.pauseAccepting();
    await vi.waitFor(async () => {
      const outcomes = await outcomesOf(repository, before);
      expect(outcomes).not.toContain('other');
      expect(outcomes).toContain('unavailable');
      expect(outcomes).toContain('same');
    }, 30_000);
    workers[0]?.resume();
    await untilAll(repository, [before]);
  }, 120_000);

  it('has a whole write or none of it if a worker is killed during the write', async () => {
    let before = await answersOf(repository, SOME);
    for (const [nth, delay] of [0, 40, 120, 250].entries()) {
      const more = 1_000 * (nth + 2);
      await fill(embedded.address, pricedBy(more));
      const after = await answersOf(expected, SOME);
      const end = await writeInThread(address, pricedBy(more), async () => {
        await sleep(delay);
        await workers[nth % 2]?.kill();
      });
      await workers[nth % 2]?.start();
      const now = await untilAll(repository, [before, after]);
      if (end === 'written') expect(now).toEqual(after);
      before = now;
    }
  }, 240_000);

  it('has a whole feed or none of it if a worker is killed during the import', async () => {
    const database = await openDatabase(address);
    let before = await pricesOf(database, 'SUNW');
    for (const [nth, delay] of [200, 500, 900].entries()) {
      const price = 500 + nth;
      const isImported = await importFeed(address, embedded.folder, price, async () => {
        await sleep(delay);
        await workers[nth % 2]?.kill();
      });
      await workers[nth % 2]?.start();
      const after: [number, number][] = [[price * 100, FEED_PACKAGES]];
      const states = isImported ? [after] : [before, after];
      before = await vi.waitFor(async () => {
        const now = await pricesOf(database, 'SUNW');
        expect(states).toContainEqual(now);
        return now;
      }, WAITING);
    }
    expect(await importFeed(address, embedded.folder, 600, async () => {})).toBe(true);
    expect(await pricesOf(database, 'SUNW')).toEqual([[60_000, FEED_PACKAGES]]);
    await expectTrueBlocks(database);
    await database.close();
  }, 240_000);

  it("changes no price block before workers have committed other transactions' writes", async () => {
    const ofSunward = await numberOf(SUNWARD);
    const unchanged = async (url: string) =>
      (await shardsOn(url, 'offer')).map(
        (shard) => `update ${shard} set seen_at = seen_at where provider = ${ofSunward};`,
      );
    await whilePrepared(unchanged, async (conclude) => {
      const end = await writeInThread(address, pricedBy(123_456), conclude);
      expect(end).toBe('written');
    });
    const database = await openDatabase(address);
    await expectTrueBlocks(database);
    await database.close();
  }, 120_000);

  it('imports a feed only after workers have committed the rows that a killed import staged', async () => {
    const [ofSunward, own] = [
      await numberOf(SUNWARD),
      await numberOf(`select number from offer_import where provider = 'SUNW'`),
    ];
    const columns = OFFER_COLUMNS.join(', ');
    const staging = async (url: string) => {
      const offers = await shardsOn(url, 'offer');
      return (await shardsOn(url, 'offer_staged')).map(
        (shard, nth) => `insert into ${shard} (${columns}, import)
          select ${columns}, ${own} from ${offers[nth]} where provider = ${ofSunward};`,
      );
    };
    await whilePrepared(staging, async (conclude) => {
      expect(await importFeed(address, embedded.folder, 650, conclude)).toBe(true);
    });
    const database = await openDatabase(address);
    expect(await pricesOf(database, 'SUNW')).toEqual([[65_000, FEED_PACKAGES]]);
    expect(await database.prepare('select count(*) from offer_staged').row()).toEqual([0]);
    await expectTrueBlocks(database);
    await database.close();
  }, 120_000);

  it('brings back packages whose removal workers have not committed yet', async () => {
    const ofSunward = await numberOf(SUNWARD);
    const removal = async (url: string) =>
      (await shardsOn(url, 'offer')).map((shard) => `delete from ${shard} where provider = ${ofSunward};`);
    await whilePrepared(removal, async (conclude) => {
      expect(await importFeed(address, embedded.folder, 650, conclude)).toBe(true);
    });
    const database = await openDatabase(address);
    expect(await pricesOf(database, 'SUNW')).toEqual([[65_000, FEED_PACKAGES]]);
    await expectTrueBlocks(database);
    await database.close();
  }, 120_000);

  it('keeps the records of packages whose addition workers have not committed yet', async () => {
    const [ofSunward, last] = [await numberOf(SUNWARD), await numberOf('select max(id) as number from room')];
    const [used, unused, newest] = [last + 1, last + 2, last + 3];
    await withClient(address.url, (client) =>
      client.query(`insert into room (id, code, description)
        values (${used}, 'USED', ''), (${unused}, 'UNUSED', ''), (${newest}, 'NEWEST', '')`),
    );
    const addition = async (url: string) =>
      (await shardsOn(url, 'offer')).map(
        (shard) => `update ${shard} set room = ${used}
          where ctid in (select ctid from ${shard} where provider = ${ofSunward} limit 1);`,
      );
    await whilePrepared(addition, async (conclude) => {
      const worker = new Worker(new URL('../fixtures/unused-records-worker.ts', import.meta.url), {
        workerData: address,
      });
      const removed = once(worker, 'message');
      await conclude();
      expect(await removed).toEqual([1]);
    });
    const rooms = await withClient(address.url, (client) =>
      client.query(`select id from room where id > ${last} order by id`),
    );
    expect(rooms.rows).toEqual([{ id: used }, { id: newest }]);
  }, 120_000);

  it("removes a provider's packages whose addition workers have not committed yet", async () => {
    const ofSunward = await numberOf(SUNWARD);
    const columns = OFFER_COLUMNS.filter((column) => column !== 'nights').join(', ');
    const addition = async (url: string) =>
      (await shardsOn(url, 'offer')).map(
        (shard) => `insert into ${shard} (nights, ${columns}, price_since)
          select nights + 20, ${columns}, price_since from ${shard} where provider = ${ofSunward};`,
      );
    await whilePrepared(addition, async (conclude) => {
      const removing = startCommand('feed', ['remove', 'SUNW', '--yes'], address, embedded.folder);
      await conclude();
      expect(await removing.output).toContain(`SUNW: ${2 * FEED_PACKAGES} packages removed`);
    });
    const database = await openDatabase(address);
    expect(await pricesOf(database, 'SUNW')).toEqual([]);
    await expectTrueBlocks(database);
    await database.close();
  }, 120_000);

  it('delays a search of several days until a worker has committed, and then returns all of it', async () => {
    const search = searchOver(repository);
    const ask = (days: number) =>
      Promise.all(
        SEARCHES.slice(0, 6).map(({ filters, ...rest }, nth) => {
          const window = {
            startDate: fromDayNumber(FIRST_DAY + nth),
            endDate: fromDayNumber(FIRST_DAY + nth + filters.duration + days - 1),
          };
          const answer = search(
            parseArguments('searchPackages', { ...rest, filters: { ...filters, ...window } }),
          );
          return answer.then(textOf, ({ name }: Error) => name);
        }),
      );
    const before = await ask(3);
    const late: string[][] = [];
    let during: string[] = [];
    await withClient(address.url, async (client) => {
      // While this transaction is open, no server commits what is prepared under its number.
      await client.query('begin; select count(*) from offer');
      const number = await numberOf(
        'select transaction_number as number from get_current_transaction_id()',
        client,
      );
      for (const [nth, worker] of workers.entries()) {
        const url = worker.urlOf(name);
        const gid = `citus_0_999999_${number}_${nth}`;
        const updates = (await shardsOn(url, 'offer')).map(
          (shard) => `update ${shard} set price = price + 333;`,
        );
        await withClient(url, async (one) => {
          await one.query(`begin; ${updates.join(' ')} prepare transaction '${gid}'`);
          // The other worker commits late.
          if (nth === 0) await one.query(`commit prepared '${gid}'`);
        });
        await withClient(address.url, (other) => noteDecision(other, url, gid));
      }
      late.push(await ask(3));
      expect(late[0]).toContain('StoreUnavailable');
      // While the late worker is away, the other worker's days can still be searched. Its return does not
      // conclude the commit.
      await workers[1]?.kill();
      await vi.waitFor(
        async () => expect((await ask(1)).some((answer) => answer !== 'StoreUnavailable')).toBe(true),
        WAITING,
      );
      await workers[1]?.start();
      // Until the server notices the return, searches that need this worker fail immediately. Afterwards they
      // wait.
      for (let took = 0; took < 1_000; ) {
        const from = performance.now();
        late.push(await ask(3));
        took = performance.now() - from;
        await sleep(100);
      }
      expect((await ask(1)).some((answer) => answer !== 'StoreUnavailable')).toBe(true);
      const asked = ask(3);
      await sleep(300);
      await client.query('commit');
      // The open session may still use a connection from before the worker was killed.
      await withClient(address.url, (other) => other.query('select recover_prepared_transactions()'));
      during = await asked;
    });
    const after = await ask(3);
    expect(during).toEqual(after);
    for (const answers of late) {
      for (const [nth, answer] of answers.entries())
        expect(['StoreUnavailable', after[nth]]).toContain(answer);
    }
    for (const [nth, answer] of after.entries()) expect(answer).not.toBe(before[nth]);
  }, 120_000);

  it('commits or rolls back what a killed worker had prepared, as the coordinator decided', async () => {
    const before = await answersOf(repository, SOME);
    const worker = workers[0]?.urlOf(name) ?? '';
    const port = Number(new URL(worker).port);
    const prepared = () =>
      withClient(worker, async (client) => (await client.query('select 1 from pg_prepared_xacts')).rows);
    const shards = await shardsOn(worker, 'offer');
    const updates = shards.map((shard) => `update ${shard} set price = price + 777;`);
    // The names that Citus gives to transactions of the coordinator, whose group is 0.
    const prepare = (gid: string) =>
      withClient(worker, (client) =>
        client.query(`begin; ${updates.join(' ')} prepare transaction '${gid}'`),
      );
    await prepare('citus_0_999999_1_1');
    await vi.waitFor(async () => expect(await prepared()).toEqual([]), WAITING);
    expect(await answersOf(repository, SOME)).toEqual(before);

    await withClient(address.url, async (client) => {
      // With this lock, nothing is concluded before the decision is recorded.
      await client.query('begin; lock table pg_dist_transaction');
      await prepare('citus_0_999999_2_1');
      const note = `insert into pg_dist_transaction (groupid, gid)
        select groupid, 'citus_0_999999_2_1' from pg_dist_node where nodeport = $1`;
      await client.query(note, [port]);
      await client.query('commit');
    });
    await vi.waitFor(async () => expect(await prepared()).toEqual([]), WAITING);
    expect(await answersOf(repository, SOME)).not.toEqual(before);
  }, 120_000);

  it('reports that it is unavailable while the coordinator is gone, and returns the same results afterwards', async () => {
    const before = await answersOf(repository, SOME);
    await coordinator?.kill();
    expect(new Set(await outcomesOf(repository, before.slice(0, 5)))).toEqual(new Set(['unavailable']));
    await coordinator?.start();
    await untilAll(repository, [before]);
  }, 120_000);

  it('returns the same search results while shards move to a new worker', async () => {
    // The coordinator has just started: a busy machine may be late once more.
    const before = await vi.waitFor(() => answersOf(repository, SOME), WAITING);
    const added = await cluster?.addWorker();
    const url = added?.urlOf(name) ?? '';
    if (added === undefined) throw new Error('There is no cluster');
    await withClient(added.urlOf('postgres'), (client) => client.query(`create database ${name}`));
    await withClient(url, (client) => client.query('create extension citus'));
    await withClient(address.url, async (client) => {
      await client.query('select citus_add_node($1, $2)', ['127.0.0.1', Number(new URL(url).port)]);
      await client.query('set client_min_messages = error');
      await client.query('select citus_rebalance_start()');
    });
    const isRebalanced = () =>
      withClient(address.url, async (client) => {
        const { rows } = await client.query<{ state: string }>(
          'select cast(state as text) as state from citus_rebalance_status()',
        );
        expect(rows[0]?.state).toMatch(/scheduled|running|finished/);
        return rows[0]?.state === 'finished';
      });
    const outcomes = new Set<unknown>();
    do for (const outcome of await outcomesOf(repository, before)) outcomes.add(outcome);
    while (!(await isRebalanced()));
    // Servers that share a busy machine may count as silent for a moment, but never give other results.
    expect(outcomes).toContain('same');
    outcomes.delete('unavailable');
    expect(outcomes).toEqual(new Set(['same']));
    const moved = await withClient(address.url, (client) =>
      client.query(`select 1 from citus_shards where table_name = 'offer'::regclass and nodeport = $1`, [
        Number(new URL(url).port),
      ]),
    );
    expect(moved.rows.length).toBeGreaterThan(1);
    expect(await vi.waitFor(() => answersOf(repository, SOME), WAITING)).toEqual(before);
  }, 240_000);
});

it.runIf(cluster === null)('Citus is skipped where it is not available, with the reason', () => {
  expect(started).toEqual({ kind: 'left out', reason: expect.stringMatching(/./) });
});
