import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { AlertService } from '../../server/alerts/alert-service.ts';
import { openAlertService } from '../../server/alerts/alert-service.ts';
import { parseAlertsConfig } from '../../server/alerts/alerts-config.ts';
import { alertKeys } from '../../server/alerts/keys/alert-keys.ts';
import { openAlertStore } from '../../server/alerts/tables/alert-store.ts';
import { rotateKeys } from '../../server/alerts/tables/rotate-keys.ts';
import { backupStore } from '../../server/backup/backup-store.ts';
import { restoreStore } from '../../server/backup/restore-store.ts';
import { alertClock } from '../../server/environment/clock.ts';
import { scheduleReader } from '../../server/feed/due-work.ts';
import { feedCommand } from '../../server/feed/feed-command.ts';
import { startFeedSchedule } from '../../server/feed/feed-schedule.ts';
import { listedProviders, readFeedSettings } from '../../server/feed/feed-settings.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import type { WorkerThread } from '../../server/lib/worker-rpc.ts';
import { noticeRuns } from '../../server/notices/notice-runs.ts';
import type { SendNotice } from '../../server/notices/notice-sender.ts';
import { noticesIn } from '../../server/notices/notices-in-thread.ts';
import {
  deleteExpiredPrices,
  isRefreshed,
  refreshPrices,
} from '../../server/price-history/refresh-prices.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { priceChecks } from '../../server/visits/price-checks.ts';
import type { SiteVisit } from '../../server/visits/record-visits.ts';
import { requestPrice } from '../../server/visits/request-price.ts';
import { visitBatches } from '../../server/visits/visit-batches.ts';
import { visitWriter } from '../../server/visits/visit-table.ts';
import { endProcess, inProcess, killProcess, type SimProcess, spawnProcess, worldAfter } from './machine.ts';

// The product's parts, as `server/services.ts` and `server/workers/background.ts` put them together.

/** A supervisor kills a server that takes longer to stop. */
const STOP_MS = 92_000;

/** How often the server asks whether the price models are today's. */
const REFRESH_MS = 60 * 60_000;

/** Short lists, because each import reads them. */
const LISTS = {
  'departure-airports.csv': 'London Gatwick,LGW\n',
  'locations.csv': 'country,region,resort\nSpain,Costa Blanca,Benidorm\n',
  'other-names.csv': 'place,other_name\n',
  'exchange-rates.csv': 'currency,per_pound,date,source\nEUR,1.17,2027-01-01,https://rates.example/\n',
  'local-charges.csv': `country,region,resort,name,per,amount,currency,stars,season,ages,nights,valid_from,valid_to,how,source,checked_on
Spain,Majorca,,tax,person night,4.4,EUR,,,,,,,,https://tax.example/,2027-01-01\n`,
};

export interface ProductOptions {
  dataDir: string;
  sendNotice: SendNotice;
  log: (line: string) => void;
  /** Called before and after each check of the conditions. */
  onNotices: (isOver: boolean) => void;
  /** After how many steps an import dies; null: it lives. */
  importLives: () => number | null;
}

/** The alerts of a server, and how to make requests to them. */
export interface RunningAlerts {
  service: Pick<AlertService, 'signUp' | 'processWebhook'>;
  run: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Parts {
  alerts: AlertService | null;
  check: Awaited<ReturnType<typeof priceChecks>> | null;
  click: ReturnType<typeof visitBatches> | null;
  stop: () => Promise<void>;
}

/** A server that starts, stops and dies, and the commands of operators. */
export function product({ dataDir, sendNotice, log, onNotices, importLives }: ProductOptions) {
  const store = { kind: 'embedded', dataDir } as const;
  const imports = new Set<SimProcess>();
  let server: (Parts & { process: SimProcess }) | null = null;

  /** A command in a process of its own. Null: it died. */
  async function command(words: readonly string[], dieAfter: number | null = null) {
    const said: string[] = [];
    const { process: own, ended } = spawnProcess(
      `feed ${words.join(' ')}`,
      async () => {
        const settings = readFeedSettings(process.env);
        if (settings.kind === 'refused') throw new Error(settings.message);
        return feedCommand(words, {
          ...settings.settings,
          store,
          lists: { locations: join(dataDir, 'lists'), airports: join(dataDir, 'lists') },
          workingDir: dataDir,
          input: Readable.from([]),
          out: (line) => said.push(line),
          progress: new Writable({ write: (_chunk, _encoding, done) => done() }),
          now: alertClock,
        });
      },
      dieAfter,
    );
    imports.add(own);
    const exit = await ended;
    imports.delete(own);
    endProcess(own);
    return { exit, said: said.join(' ') };
  }

  async function startParts(parts: Parts): Promise<void> {
    const config = parseAlertsConfig(process.env);
    if (config.kind === 'refused') throw new Error(config.message);
    const alerts = await openAlertService(
      { store, brandName: 'Skylark', config: config.config },
      alertClock,
      (line) => log(`Price alerts: ${line}`),
      openInventoryWriter,
    );
    await alerts.run();
    const reader = scheduleReader(store, alertClock);
    const schedule = startFeedSchedule({
      due: reader.due,
      log: (_level, line) => log(line),
      run: (code) => command(['run', code, '--if-due'], importLives()),
    });
    const runs = noticeRuns({
      openStore: () => openDatabase(store, { isExisting: true, interactive: true }),
      look() {
        onNotices(false);
        const feeds = readFeedSettings(process.env);
        return { conditions: [], providers: listedProviders(feeds), feedLateMs: 30 * 60 * 60_000 };
      },
      send: sendNotice,
      log,
      now: alertClock,
    });
    const run = async () => {
      await runs.run();
      onNotices(true);
    };
    const thread = { part: () => ({ api: { run }, close: () => runs.close() }) };
    const notices = noticesIn(thread as unknown as WorkerThread, log);
    let refreshedOn = 0;
    const refresh = async () => {
      await using database = await openDatabase(store, { isExisting: true });
      const today = dayNumber(todayInLondon(Date.now()));
      // After later imports of the day too, the server would train them again.
      if (today !== refreshedOn && !(await isRefreshed(database, today)))
        await refreshPrices(database, today);
      refreshedOn = today;
      await deleteExpiredPrices(database, Date.now());
    };
    const refreshing = setInterval(
      () => void refresh().catch((error: unknown) => log(`The prices were not refreshed: ${String(error)}`)),
      REFRESH_MS,
    );
    const database = await openDatabase(store, { interactive: true, isExisting: true });
    const feeds = readFeedSettings(process.env);
    if (feeds.kind === 'refused') throw new Error(feeds.message);
    const { providers: file } = feeds.settings;
    parts.check = priceChecks(database, {
      checkOf: (code) => file.providers.find((one) => one.code === code)?.priceCheck ?? null,
      ask: requestPrice(file.folder),
      isRecorded: true,
      soon: (task) => setTimeout(() => void task(), 2_000),
      monotonicNow: () => performance.now(),
      log,
    });
    parts.click = visitBatches(visitWriter(database), (task) => setImmediate(() => void task()));
    parts.alerts = alerts.service;
    parts.stop = async () => {
      clearInterval(refreshing);
      await database.close();
      await schedule.stop();
      await reader.close();
      await notices.stop();
      await alerts.service.stop();
    };
  }

  return {
    command,
    isImporting: () => imports.size > 0,
    isUp: () => server !== null && !server.process.isDead,
    /** The alerts of a server that runs, and how to make requests to it. */
    alerts(): RunningAlerts | null {
      if (server === null || server.process.isDead || server.alerts === null) return null;
      const { process: own, alerts: service } = server;
      return { service, run: <T>(work: () => Promise<T>) => inProcess(own, work) };
    },
    process: () => server?.process ?? null,
    /** Replaces the alerts' key, as the command does while no server runs. */
    async rotateKeys(next: Uint8Array, dieAfter: number | null): Promise<void> {
      const secret = Buffer.from(String(process.env.ALERTS_KEY), 'hex');
      const { process: own, ended } = spawnProcess(
        'rotate-keys',
        async () => {
          const alerts = await openAlertStore(store, () => alertKeys(secret), { patient: true });
          await rotateKeys(alerts, secret, next, alertClock());
          await alerts.close();
        },
        dieAfter,
      );
      await ended.catch((error: unknown) => log(`The key was not rotated: ${String(error)}`));
      killProcess(own);
    },
    /** Backs the store up, and restores it into a folder. Returns why this failed; null: it did not. */
    async backUp(folder: string): Promise<string | null> {
      const file = join(folder, 'backup.sqlite.gz');
      const written = await backupStore(store, file, Date.now());
      if (written.kind === 'refused') return written.message;
      const restored = await restoreStore(file, folder);
      return restored.kind === 'refused' ? restored.message : null;
    },
    /** Asks a provider for a price, as a visitor's click does. */
    async check(itemKey: string, price: number): Promise<void> {
      if (server === null || server.process.isDead || server.check === null) return;
      const { process: own, check } = server;
      const visitedAt = Math.floor(Date.now() / 60_000);
      const visit = { itemKey, price, visitedAt, isShown: true, client: 1 };
      await inProcess(own, () => check(visit)).catch(() => {});
    },
    /** Records a visitor's click. Returns the outcome, or the error if it is unknown whether the click was recorded. */
    async click(visit: SiteVisit): Promise<string> {
      if (server === null || server.process.isDead || server.click === null) return 'no server';
      const { process: own, click } = server;
      return inProcess(own, () => click(visit)).catch(String);
    },
    /** Returns whether it started. */
    async start(): Promise<boolean> {
      const parts: Parts = { alerts: null, check: null, click: null, stop: async () => {} };
      const { process: own, ended } = spawnProcess('server', async () => {
        try {
          await startParts(parts);
          return true;
        } catch (error) {
          log(`The server could not start: ${String(error)}`);
          return false;
        }
      });
      server = Object.assign(parts, { process: own });
      const hasStarted = (await ended) === true;
      if (!hasStarted) this.die();
      return hasStarted;
    },
    /** Stops in order; what does not end in time is killed, as a supervisor does. */
    async stop(): Promise<void> {
      const stopping = server;
      if (stopping === null || stopping.process.isDead) return;
      const stopped = inProcess(stopping.process, stopping.stop).catch((error: unknown) =>
        log(String(error)),
      );
      await Promise.race([stopped, new Promise<void>((resolve) => worldAfter(STOP_MS, resolve))]);
      this.die();
    },
    /** Kills the server, and the imports that it started. */
    die(): void {
      if (server !== null) killProcess(server.process);
      for (const one of imports) killProcess(one);
      server = null;
    },
  };
}

/** An empty data folder but for the lists, and the environment of the product. */
export function prepareFolder(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
  const lists = join(dataDir, 'lists');
  mkdirSync(lists, { recursive: true });
  for (const [name, text] of Object.entries(LISTS)) writeFileSync(join(lists, name), text);
  // A plain object, which is faster to read.
  process.env = {
    DATA_DIR: dataDir,
    LOCAL_CHARGES_FILE: join(lists, 'local-charges.csv'),
    EXCHANGE_RATES_FILE: join(lists, 'exchange-rates.csv'),
    SAMPLE_INVENTORY: 'off',
    ALERTS_KEY: 'a'.repeat(64),
    ALERT_PROVIDER: 'meta',
    META_PHONE_NUMBER_ID: '1',
    META_TOKEN: 'a token',
    META_APP_SECRET: 'an app secret for tests only',
    META_VERIFY_TOKEN: 'a verify token',
    ALERT_LIMIT_ADDRESS: '0',
    ALERT_LIMIT_NUMBER: '0',
    ALERT_LIMIT_BLOCK: '0',
    PUBLIC_URL: 'https://skylark.example',
    ALERT_EMAIL: 'off',
    VAPID_KEY: '1'.repeat(64),
  };
}
