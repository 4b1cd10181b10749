import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { type AlertsConfig, parseAlertsConfig } from '../../server/alerts/alerts-config.ts';
import { alertsIn } from '../../server/alerts/alerts-in-thread.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { HISTORY_KEY_COLUMNS } from '../../server/price-history/history-key.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { PostgresAddress } from '../../server/storage/store-address.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import type { ImportOrder } from '../fixtures/import-worker.ts';
import { stockMarket, TODAY } from '../fixtures/market.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { emptyDatabase, takeDatabase } from '../fixtures/test-databases.ts';
import { alertsThreadOf } from '../fixtures/test-threads.ts';

const MAIN = join(import.meta.dirname, '../../server/main.ts');
const KEYS = { ALERTS_KEY: 'c'.repeat(64), TOKEN_KEY: 'the same for every server' };

describe('Servers that start on one PostgreSQL', () => {
  const started: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  });

  function start({ url }: PostgresAddress, settings: Record<string, string>) {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, SAMPLE_INVENTORY: 'off', PORT: '0', DATABASE_URL: url, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }

  async function addressOf(child: Awaited<ReturnType<typeof start>>): Promise<string> {
    let said = '';
    const errors = text(child.stderr);
    for await (const chunk of child.stdout) {
      said += String(chunk);
      const address = /^Skylark is at (http:\S+)$/m.exec(said)?.[1];
      if (address !== undefined) return address;
    }
    throw new Error(`The server ended before it was ready: ${await errors}`);
  }

  async function refusalOf(store: PostgresAddress, settings: Record<string, string>) {
    const child = start(store, settings);
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, stderr };
  }

  it.each(SHARED_STORE_KINDS)(
    'create the tables of %s once, even if many start at the same time',
    async (kind) => {
      const store = await emptyDatabase(kind);
      const servers = [start(store, KEYS), start(store, KEYS), start(store, KEYS)];
      for (const address of await Promise.all(servers.map(addressOf))) {
        const health = await fetch(`${address}/healthz`);
        expect(health.status).toBe(200);
      }
    },
    60_000,
  );

  it.each(SHARED_STORE_KINDS)(
    'open a %s store while others are creating its tables',
    async (kind) => {
      const store = await emptyDatabase(kind);
      const file = new URL('../fixtures/open-store-worker.ts', import.meta.url);
      const workers = Array.from({ length: 4 }, () => new Worker(file, { workerData: store }));
      await Promise.all(workers.map((worker) => once(worker, 'online')));
      const outcomes = workers.map(async (worker) => {
        const outcome = once(worker, 'message');
        worker.postMessage('open');
        return (await outcome)[0];
      });
      expect(await Promise.all(outcomes)).toEqual([null, null, null, null]);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
    60_000,
  );

  it('require the same keys, and state how to generate them', async () => {
    const store = await emptyDatabase();
    const { ALERTS_KEY, TOKEN_KEY } = KEYS;
    const noToken = await refusalOf(store, { ALERTS_KEY });
    expect(noToken).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^TOKEN_KEY is not set.*randomBytes\(32\).*\n$/),
    });
    const noAlerts = await refusalOf(store, { TOKEN_KEY });
    expect(noAlerts.stderr).toMatch(/ALERTS_KEY is not set.*randomBytes\(32\)/);
    await addressOf(start(store, KEYS));
    const otherToken = await refusalOf(store, { ALERTS_KEY, TOKEN_KEY: 'another of sixteen characters' });
    expect(otherToken).toEqual({ code: 1, stderr: expect.stringContaining('a different TOKEN_KEY') });
    const otherAlerts = await refusalOf(store, { TOKEN_KEY, ALERTS_KEY: 'd'.repeat(64) });
    expect(otherAlerts).toEqual({ code: 1, stderr: expect.stringContaining('another ALERTS_KEY') });
    for (const { stderr } of [otherToken, otherAlerts])
      expect(stderr).not.toMatch(/postgresql:|sixteen|dddd/);
  }, 60_000);

  it('names the invalid setting without its value', async () => {
    const wrong: PostgresAddress = { kind: 'postgresql', url: 'mysql://me:secret@host/db', readUrls: [] };
    const { code, stderr } = await refusalOf(wrong, KEYS);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'DATABASE_URL must be a URL with one host, such as postgresql://user:password@host:5432/database (the value is not shown).\n',
    );
    expect(stderr).not.toContain('secret');
    const nobody = { ...wrong, url: 'postgresql://me:secret@127.0.0.1:9/db' };
    const silent = await refusalOf(nobody, KEYS);
    expect(silent).toEqual({ code: 1, stderr: expect.stringMatching(/^DATABASE_URL .*cannot be/) });
    expect(silent.stderr).not.toContain('secret');
  }, 60_000);
});

describe('Alerts of two servers on one PostgreSQL', () => {
  const NUMBERS = 30;

  async function openPair(change: (config: AlertsConfig) => AlertsConfig) {
    const { address, release } = await takeDatabase();
    await stockMarket(address);
    const simulator = await startMetaSimulator({ seed: 1 });
    const parsed = parseAlertsConfig({
      ALERTS_KEY: KEYS.ALERTS_KEY,
      ALERT_CONFIRMATION: 'none',
      ALERT_LIMIT_ADDRESS: '0',
      ALERT_LIMIT_BLOCK: '0',
      ALERT_QUIET_HOURS: 'none',
    });
    if (parsed.kind === 'refused') throw new Error(parsed.message);
    const config = change({ ...parsed.config, provider: simulator.settings });
    const setting = { store: address, brandName: 'Skylark', config };
    const services = [
      (await alertsIn(alertsThreadOf(setting), () => {})).service,
      (await alertsIn(alertsThreadOf(setting), () => {})).service,
    ] as const;
    const database = await openDatabase(address);
    return {
      services,
      simulator,
      attempts: () =>
        database.sql.all`select id as message, started_at, state from alert_message where attempt is not null
            order by started_at, attempt`,
      async signUp(nth: number, from = '192.0.2.1') {
        const itemKey = `SUN:BEN1:LGW:${addDays(TODAY, 30)}:7:AI:DBL:2-0-0`;
        const service = services[nth % 2] ?? services[0];
        return (await service.signUp({ body: signUpBody(dramaNumber(nth), itemKey), address: from })).kind;
      },
      async close() {
        await database.close();
        for (const service of services) await service.stop();
        await simulator.close();
        await release();
      },
    };
  }

  it('send each message once, at the rate limit of a single server', async () => {
    const pair = await openPair((config) => ({
      ...config,
      sending: { ...config.sending, perSecond: 10, numberEveryMs: 0 },
    }));
    const kinds = await Promise.all(Array.from({ length: NUMBERS }, (_, nth) => pair.signUp(nth)));
    expect(new Set(kinds)).toEqual(new Set(['ok']));
    await vi.waitFor(
      async () =>
        expect((await pair.attempts()).filter(({ state }) => state === 'accepted')).toHaveLength(NUMBERS),
      { timeout: 25_000, interval: 100 },
    );
    const attempts = await pair.attempts();
    expect(new Set(attempts.map(({ message }) => message)).size).toBe(NUMBERS);
    expect(pair.simulator.accepted).toHaveLength(NUMBERS);
    for (const [nth, { started_at: startedAt }] of attempts.entries()) {
      const later = attempts[nth + 10];
      if (later !== undefined)
        expect(Number(later.started_at) - Number(startedAt)).toBeGreaterThanOrEqual(1_000);
    }
    await pair.close();
  }, 60_000);

  it('share the daily limit and the limit per IP address', async () => {
    const pair = await openPair((config) => ({
      ...config,
      limits: { ...config.limits, addressPerHour: 20 },
      sending: { ...config.sending, messagesPerDay: 12, numberEveryMs: 0 },
    }));
    const kinds = await Promise.all(Array.from({ length: NUMBERS }, (_, nth) => pair.signUp(nth)));
    expect(kinds.filter((kind) => kind === 'ok')).toHaveLength(20);
    expect(kinds.filter((kind) => kind === 'too many')).toHaveLength(NUMBERS - 20);
    await vi.waitFor(async () => expect(await pair.services[0].readNotices(0)).toHaveLength(1), {
      timeout: 25_000,
      interval: 100,
    });
    await vi.waitFor(() => expect(pair.simulator.accepted).toHaveLength(12), { timeout: 25_000 });
    expect(await pair.attempts()).toHaveLength(12);
    await pair.close();
  }, 60_000);
});

describe('Imports of two servers into one PostgreSQL', () => {
  it('wait for each other, and report every price change once', async () => {
    const { address, release } = await takeDatabase();
    const writer = await openInventoryWriter(address);
    await writer.replaceReference(REFERENCE);
    await writer.writeOffers(smallOffers());
    await writer.close();
    const rounds = 4;
    const run = async (isBackwards: boolean) => {
      const workerData: ImportOrder = { store: address, rounds, isBackwards };
      const worker = new Worker(new URL('../fixtures/import-worker.ts', import.meta.url), { workerData });
      await once(worker, 'exit');
    };
    await Promise.all([run(false), run(true)]);
    const database = await openDatabase(address);
    const price = (await database.prepare('select sum(price) from offer').row())?.[0];
    expect(price).toBe(smallOffers().reduce((sum, offer) => sum + offer[OFFER.price] + rounds, 0));
    const priced = `${HISTORY_KEY_COLUMNS.join(', ')}, price`;
    const [observed] =
      (await database
        .prepare(
          `select count(*) from (select ${priced} from price_observation union select ${priced} from offer) as t`,
        )
        .row()) ?? [];
    expect(observed).toBe(smallOffers().length * (rounds + 1));
    await database.close();
    await release();
  }, 60_000);

  it('do not wait for an import that hangs in a transaction', async () => {
    const { address, release } = await takeDatabase();
    const [hanging, other] = [
      await openDatabase(address, { interactive: true }),
      await openDatabase(address),
    ];
    const held = await holdTransaction(hanging);
    const from = performance.now();
    await other.write('records', (tx) =>
      tx.exec(`insert into note (name, value) values ('other', 'was here')`),
    );
    expect(performance.now() - from).toBeLessThan(10_000);
    await expect(held.commit()).rejects.toThrow('cannot be reached at the moment');
    expect(
      await hanging.write('records', async (tx) => tx.prepare('select value from note').row()),
    ).toBeDefined();
    const locked = await holdTransaction(other);
    const interactive = await openDatabase(address, { interactive: true });
    await expect(holdTransaction(interactive)).rejects.toThrow('cannot be reached at the moment');
    await locked.rollback();
    for (const database of [hanging, other, interactive]) await database.close();
    await release();
  }, 40_000);

  it('release a lock when the server that holds it has gone', async () => {
    const { address, release } = await takeDatabase();
    const [one, other] = [await openDatabase(address), await openDatabase(address)];
    expect(await one.tryLock('price refresh')).toBe(true);
    expect(await other.tryLock('price refresh')).toBe(false);
    expect(await other.tryLock('sample inventory')).toBe(true);
    await one.close();
    await vi.waitFor(async () => expect(await other.tryLock('price refresh')).toBe(true), {
      timeout: 10_000,
    });
    await other.close();
    await release();
  });
});
