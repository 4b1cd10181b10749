import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { type AlertService, openAlertService } from '../../server/alerts/alert-service.ts';
import { parseAlertsConfig } from '../../server/alerts/alerts-config.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { StoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { priceTokens } from '../../server/package-search/tokens/price-token.ts';
import { startSampleInventory } from '../../server/sample/start-sample-inventory.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { readPool } from '../../server/storage/postgres/read-pool.ts';
import type { PostgresAddress } from '../../server/storage/store-address.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { metaSettings, signed } from '../fixtures/alerts/meta-simulator.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { startPostgres, type TestPostgres, withClient } from '../fixtures/postgres.ts';
import { API_KEY, openSmallApp, type SmallApp, TOKEN_KEY } from '../fixtures/small-app.ts';
import { NOW, REFERENCE } from '../fixtures/small-inventory.ts';
import { FILTERS } from './suites/search-http.ts';

const MAIN = join(import.meta.dirname, '../../server/main.ts');

const UNAVAILABLE = expect.stringContaining('cannot be reached at the moment');

/** Waits longer than the time for which a failed server is skipped. */
const SOON = { timeout: 25_000, interval: 250 };

describe('A primary and its replica', () => {
  let primary: TestPostgres;
  let replica: TestPostgres;
  let alerts: AlertService;
  let small: SmallApp;
  let itemKey: string;
  let nth = 0;

  beforeAll(async () => {
    primary = await startPostgres();
    const plain: PostgresAddress = { kind: 'postgresql', url: primary.urlOf('postgres'), readUrls: [] };
    const writer = await openInventoryWriter(plain);
    await writer.replaceReference(REFERENCE);
    await writer.close();
    replica = await primary.replicate();
    const address = { ...plain, readUrls: [replica.urlOf('postgres')] };
    const parsed = parseAlertsConfig({ ALERTS_KEY: 'b'.repeat(64), ALERT_LIMIT_ADDRESS: '0' });
    if (parsed.kind === 'refused') throw new Error(parsed.message);
    const config = { ...parsed.config, provider: metaSettings('http://127.0.0.1:9') };
    const opened = await openAlertService(
      { store: address, brandName: 'Skylark', config },
      () => NOW,
      () => {},
      openInventoryWriter,
    );
    // Does not start the alerts' timers, which here would block the search thread while a server hangs.
    alerts = opened.service;
    small = await openSmallApp({
      store: { address, folder: '', remove: async () => {} },
      alerts: { service: alerts, config },
    });
    await vi.waitFor(async () => expect((await search()).count).toBeGreaterThan(0), SOON);
    itemKey = (await search()).first;
  }, 120_000);

  afterAll(async () => {
    await small.close();
    await alerts.stop();
    await replica.remove();
    await primary.remove();
  });

  async function search(): Promise<{ status: number; count: number; first: string; error: unknown }> {
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query: SEARCH_PACKAGES_QUERY, variables: { filters: FILTERS } },
    });
    const { data, error } = response.json();
    const { count = 0, items = [] } = data?.searchPackages ?? {};
    return { status: response.statusCode, count, first: String(items[0]?.ItemKey), error };
  }

  const shown = (now = NOW) => {
    const tokens = priceTokens(TOKEN_KEY);
    return { itemKey, price: 499, priceToken: tokens.issue(itemKey, 49_900, Math.floor(now / 60_000)) };
  };
  const visit = () => small.app.inject({ method: 'POST', url: '/visits', payload: shown() });
  const signUp = () =>
    small.app.inject({ method: 'POST', url: '/intents', payload: signUpBody(dramaNumber(++nth), itemKey) });
  const webhook = () => {
    const message = { id: `stop ${++nth}`, from: dramaNumber(999), text: { body: 'STOP' } };
    const { url, headers, body } = signed({ messages: [message] });
    return small.app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) });
  };
  const writes = async () => [
    (await visit()).statusCode,
    (await webhook()).statusCode,
    (await signUp()).statusCode,
  ];

  /** Searches for eight seconds, because one search may have to find out that a server hangs. */
  async function searchesGoOn(asBefore: Awaited<ReturnType<typeof search>>): Promise<void> {
    const waits: number[] = [];
    for (const until = performance.now() + 8_000; performance.now() < until; ) {
      const from = performance.now();
      expect(await search()).toEqual(asBefore);
      waits.push(performance.now() - from);
      await sleep(50);
    }
    // If every search had to find out, each would wait for seconds. A busy machine adds a little to each wait.
    expect(Math.max(...waits)).toBeLessThan(8_000);
    expect(waits.filter((ms) => ms > 2_000).length).toBeLessThan(3);
  }

  it('serve searches and accept writes', async () => {
    expect(await search()).toMatchObject({ status: 200 });
    expect(await writes()).toEqual([204, 200, 200]);
  });

  it('serve searches while the primary is down, and ask clients to retry writes', async () => {
    const before = await search();
    await primary.kill();
    for (let again = 0; again < 10; again += 1) expect(await search()).toEqual(before);
    for (const response of [await visit(), await signUp(), await webhook()]) {
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
      expect(response.json()).toMatchObject({ error: UNAVAILABLE });
    }
    const health = await small.app.inject({ url: '/config.json' });
    expect(health.statusCode).toBe(200);
    await primary.start();
    await expect.poll(writes, SOON).toEqual([204, 200, 200]);
  }, 60_000);

  it('wait only once and briefly for a primary that hangs', async () => {
    const before = await search();
    primary.pause();
    onTestFinished(() => primary.resume());
    await searchesGoOn(before);
    expect((await small.app.inject({ url: '/readyz' })).json()).toMatchObject({
      missing: expect.not.arrayContaining([expect.stringContaining('store')]),
    });
    const from = performance.now();
    const plain: PostgresAddress = { kind: 'postgresql', url: primary.urlOf('postgres'), readUrls: [] };
    for (let again = 0; again < 3; again += 1) {
      expect(await writes()).toEqual([503, 503, 503]);
      await expect(() => openDatabase(plain)).rejects.toThrow(StoreUnavailable);
    }
    expect(performance.now() - from).toBeLessThan(20_000);
    primary.resume();
    await expect.poll(writes, SOON).toEqual([204, 200, 200]);
  }, 60_000);

  it('skip a replica that hangs', async () => {
    const before = await search();
    replica.pause();
    onTestFinished(() => replica.resume());
    await searchesGoOn(before);
    expect(await writes()).toEqual([204, 200, 200]);
    replica.resume();
  }, 60_000);

  it('can be closed while the primary hangs and work waits for it', async () => {
    const pool = readPool({ kind: 'postgresql', url: primary.urlOf('postgres'), readUrls: [] });
    const sleeping = { name: 'sleeping', text: 'select pg_sleep(60)', values: [] };
    const work = pool.read('none', ({ query }) => query(sleeping)).catch((error: unknown) => error);
    await vi.waitFor(async () => {
      const asked = await withClient(primary.urlOf('postgres'), (client) =>
        client.query('select 1 from pg_stat_activity where query = $1', [sleeping.text]),
      );
      expect(asked.rows).toHaveLength(1);
    }, SOON);
    onTestFinished(() => primary.resume());
    primary.pause();
    await pool.close();
    expect(await work).toBeInstanceOf(StoreUnavailable);
  }, 60_000);

  it('let a server start while the primary is down, and accept writes once it is back', async () => {
    await primary.kill();
    const server = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        SAMPLE_INVENTORY: 'off',
        DATABASE_URL: primary.urlOf('postgres'),
        DATABASE_READ_URLS: replica.urlOf('postgres'),
        ALERTS_KEY: 'b'.repeat(64),
        TOKEN_KEY: 'a key for tests only',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const address = await addressOf(server.stdout);
    const visitThere = () =>
      fetch(`${address}/visits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(shown(Date.now())),
      });
    const found = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'skylark-public' },
      body: JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables: { filters: FILTERS } }),
    });
    expect(found.status).toBe(200);
    expect(await found.json()).toMatchObject({ data: { searchPackages: { errors: null } } });
    expect((await visitThere()).status).toBe(503);
    await primary.start();
    await expect.poll(async () => (await visitThere()).status, SOON).toBe(204);
    server.kill('SIGTERM');
    await once(server, 'exit');
    expect(server.exitCode).toBe(0);
    await expect.poll(writes, SOON).toEqual([204, 200, 200]);
  }, 60_000);

  it('resume loading the sample after an interruption by a restart', async () => {
    await withClient(primary.urlOf('postgres'), (client) => client.query('create database sample'));
    let day = 0;
    const sample = startSampleInventory({
      store: { kind: 'postgresql', url: primary.urlOf('sample'), readUrls: [] },
      seed: 1,
      onProgress: (progress) => {
        ({ day } = progress);
      },
      log: () => {},
    });
    await vi.waitFor(() => expect(day).toBeGreaterThan(1), SOON);
    await primary.kill();
    const before = day;
    await primary.start();
    await vi.waitFor(() => expect(day).toBeGreaterThan(before + 1), SOON);
    await sample.stop();
    await expect(sample.complete).resolves.toBeUndefined();
  }, 60_000);

  it('serve searches from the primary while the replica is down', async () => {
    const before = await search();
    await replica.kill();
    for (let again = 0; again < 10; again += 1) expect(await search()).toEqual(before);
    expect(await writes()).toEqual([204, 200, 200]);
    await replica.start();
  }, 60_000);

  it('report that the store is unavailable while both are down, and recover', async () => {
    const before = await search();
    await replica.kill();
    await primary.kill();
    expect(await search()).toMatchObject({ status: 503, error: UNAVAILABLE });
    expect((await small.app.inject({ url: '/config.json' })).statusCode).toBe(503);
    await primary.start();
    await replica.start();
    await expect.poll(search, SOON).toEqual(before);
    await expect.poll(writes, SOON).toEqual([204, 200, 200]);
  }, 60_000);
});

/** The URL that a server prints. */
async function addressOf(output: Readable): Promise<string> {
  let said = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const address = /^Skylark is at (http:\S+)$/m.exec(said)?.[1];
    if (address === undefined) continue;
    output.resume();
    return address;
  }
  throw new Error(`The server ended before it was ready: ${said}`);
}
