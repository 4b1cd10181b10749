import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSmallAlerts, SOMEBODY } from '../../tests/fixtures/alerts/small-alerts.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import type { Finding } from '../conditions/condition.ts';
import { tryToWrite } from '../conditions/setup/data-folder.ts';
import type { DoctorEnvironment } from '../conditions/setup/doctor-view.ts';
import { writeLastImport } from '../feed/write/store-notes.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { clockGuard } from '../storage/clock-guard.ts';
import { databasePath, openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { describeFindings, diagnose, exitCodeOf } from './diagnose.ts';

const META = {
  ALERT_PROVIDER: 'meta',
  META_PHONE_NUMBER_ID: '1',
  META_TOKEN: 'a token for tests only',
  META_APP_SECRET: 'an app secret for tests only',
  META_VERIFY_TOKEN: 'a verify token for tests only',
};

const RULES =
  'country,region,resort,name,per,amount,currency,stars,season,ages,nights,valid_from,valid_to,source,checked_on\n';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let environment: DoctorEnvironment;

/** A healthy machine: a built page, the lists, a store with packages on sale, a free port. */
beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  const page = join(folder.path, 'page');
  const lists = join(folder.path, 'lists');
  for (const path of [page, lists]) mkdirSync(path);
  writeFileSync(join(page, 'index.html'), '');
  for (const list of ['locations.csv', 'departure-airports.csv']) {
    copyFileSync(join(import.meta.dirname, '../../assets', list), join(lists, list));
  }
  const writer = await openInventoryWriter(embeddedStore(dataDir));
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(smallOffers());
  await writer.close();
  const [rates, rules] = [join(folder.path, 'rates.csv'), join(folder.path, 'rules.csv')];
  writeFileSync(rates, 'currency,per_pound,date,source\nEUR,1.15,2027-03-01,the bank\n');
  writeFileSync(rules, `${RULES}Spain,,,none,none,0,,,,,,,,the town hall,2027-03-01\n`);
  const charges = { EXCHANGE_RATES_FILE: rates, LOCAL_CHARGES_FILE: rules };
  environment = {
    variables: { DATA_DIR: dataDir, PORT: '0', SAMPLE_INVENTORY: 'off', ...charges },
    nodeVersion: '24.21.0',
    folders: { page, lists },
    now: NOW,
    freeBytes: () => 50e9,
    tryToWrite,
    reach: async () => 404,
    logInTo: async () => null,
  };
});
afterEach(() => folder.remove());

function change(more: Partial<DoctorEnvironment>): void {
  environment = { ...environment, ...more };
}

function withVariables(more: Record<string, string>): void {
  change({ variables: { ...environment.variables, ...more } });
}

async function write(work: (database: SqlDatabase) => Promise<void>): Promise<void> {
  const database = await openDatabase(embeddedStore(dataDir));
  await work(database);
  await database.close();
}

async function noteImport(at: number): Promise<void> {
  const last = { format: 'items-json', packages: 7, added: 7, changed: 0, removed: 0, refused: 2 };
  await write(async (database) =>
    writeLastImport(database, 'SUN', { at: new Date(at).toISOString(), ...last }),
  );
}

/** Puts a provider with a feed into providers.json. */
function listFeed(credentials: Record<string, string>, more: object = {}): void {
  const feed = { source: 'https://feeds.sunward.example/a.csv?key=for tests only', credentials };
  const provider = { code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], feed, ...more };
  writeFileSync(join(dataDir, 'providers.json'), JSON.stringify({ providers: [provider] }));
}

function failing(code: string, message: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: ${message}`), { code });
  };
}

function troubles(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ level, summary }) => `${level} ${summary}`);
}

describe('diagnose', () => {
  it('reports nothing on a healthy machine', async () => {
    expect(troubles(await diagnose(environment))).toEqual([]);
  });

  it('has no warning about a site in production without price alerts', async () => {
    withVariables({
      NODE_ENV: 'production',
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: 'https://holidays.co.uk',
      PROVIDER_URL: 'https://holidays.co.uk',
      OPERATOR_NAME: 'Holidays Ltd',
      OPERATOR_ADDRESS: '1 High Street, London',
      CONTACT_EMAIL: 'hello@holidays.co.uk',
      NOTICE_WEBHOOK: 'https://chat.holidays.co.uk/hook',
      DATA_DIR: join(folder.path, 'new/data'),
    });
    const found = await diagnose(environment);
    expect(troubles(found)).toEqual(['warn There is no store yet. The first start creates it.']);
    expect(found.map(({ summary }) => summary).join(' ')).toContain('Price alerts are off');
  });

  it('warns of a data folder that does not exist yet', async () => {
    withVariables({ DATA_DIR: join(folder.path, 'new/data') });
    expect(troubles(await diagnose(environment))).toEqual([
      'warn There is no store yet. The first start creates it.',
    ]);
  });

  it.each<[string, () => void | Promise<void>, string]>([
    ['an old Node', () => change({ nodeVersion: '20.19.0' }), 'bad Node is 20.19.0, but'],
    [
      'a wrong setting',
      () => withVariables({ PORT: 'http' }),
      'bad A setting or providers.json is invalid: PORT must be a whole number from 0 to 65535 (got "http").',
    ],
    ['a missing token', () => withVariables({ ALERT_PROVIDER: 'meta' }), 'META_PHONE_NUMBER_ID must be set'],
    [
      'a misspelt variable',
      () => withVariables({ SAMPEL_SEED: '2' }),
      'warn Unknown variable SAMPEL_SEED. Did you mean SAMPLE_SEED?',
    ],
    [
      'an old exchange rate',
      () =>
        writeFileSync(
          join(folder.path, 'rates.csv'),
          'currency,per_pound,date,source\nEUR,1.15,2026-12-31,the bank\n',
        ),
      'warn Exchange rates need an update: more than 90 days old: EUR (2026-12-31).',
    ],
    [
      'a charge that ends soon',
      () =>
        writeFileSync(
          join(folder.path, 'rules.csv'),
          `${RULES}Spain,,,tax,stay,5,EUR,,,,,,2027-05-31,the town hall,2027-03-01\n`,
        ),
      'warn Rules of local charges need an update: they end within 60 days: tax in Spain (2027-05-31).',
    ],
    ['a clock in the past', () => change({ now: 0 }), 'bad The clock says 1970'],
    [
      'a clock behind the store',
      () => utimesSync(databasePath(dataDir), NOW / 1_000 + 86_400, NOW / 1_000 + 86_400),
      'bad The clock says 2027-04-01T12:00:00.000Z: the store was last written after that.',
    ],
    [
      'a clock that has jumped since a server last ran',
      () =>
        write(async (database) => {
          await clockGuard(database, { wall: () => NOW - 9 * 86_400_000, steady: () => 0 })();
        }),
      'it says 2027-04-01T12:00:00.000Z, but servers of this store last reported 2027-03-23',
    ],
    [
      'a page that is not built',
      () => change({ folders: { ...environment.folders, page: folder.path } }),
      'bad The page has not been built.',
    ],
    [
      'a list without rows',
      () => writeFileSync(join(environment.folders.lists, 'locations.csv'), 'country,region,resort\n'),
      'locations.csv has no entries.',
    ],
    [
      'a missing list',
      () => change({ folders: { ...environment.folders, lists: folder.path } }),
      'bad departure-airports.csv cannot be read',
    ],
    [
      'a data folder that is a file',
      () => withVariables({ DATA_DIR: join(environment.folders.page, 'index.html') }),
      'which is not writable: ENOTDIR',
    ],
    [
      'a full disk',
      () => change({ tryToWrite: failing('ENOSPC', 'no space left on device, write'), freeBytes: () => 0 }),
      'bad The disk of ',
    ],
    [
      'an exhausted disk quota',
      () => change({ tryToWrite: failing('EDQUOT', 'disk quota exceeded, write') }),
      'bad The disk of ',
    ],
    [
      'a missing list of providers',
      () => withVariables({ PROVIDERS_FILE: join(folder.path, 'nowhere.json') }),
      'PROVIDERS_FILE must be an existing file (got "',
    ],
    ['low disk space', () => change({ freeBytes: () => 1e9 }), 'warn Only 1.0 GB is free'],
    [
      'critically low disk space',
      () => change({ freeBytes: () => 1e6 }),
      'bad The disk of the data folder is full, or nearly: 1 MB is free.',
    ],
    [
      'a data folder that others can write to',
      () => chmodSync(dataDir, 0o777),
      'warn Other users of this machine may write to',
    ],
    [
      'a key that others can read',
      () => writeFileSync(join(dataDir, 'token.key'), 'key', { mode: 0o644 }),
      'bad Other users of this machine may read ',
    ],
    ...(process.getuid?.() === 0
      ? ([
          [
            'a file of another user',
            () => {
              mkdirSync(join(dataDir, 'feed-reports'));
              chownSync(join(dataDir, 'feed-reports'), 65_534, 65_534);
            },
            'feed-reports belongs to a different user from ',
          ],
        ] satisfies [string, () => void, string][])
      : []),
    [
      'a file that is not a store',
      () => writeFileSync(databasePath(dataDir), 'x'.repeat(5_000)),
      'inventory.sqlite cannot be used: file is not a database',
    ],
    [
      'a store of a newer Skylark',
      () => write((database) => database.exec('pragma user_version = 999')),
      'it was written by a newer Skylark (schema 999',
    ],
    [
      'an empty store',
      () => write((database) => database.exec('delete from offer')),
      'warn Nothing is on sale.',
    ],
    [
      'a store whose packages have all departed',
      () => change({ now: NOW + 400 * 86_400_000 }),
      'warn Nothing is on sale.',
    ],
    [
      'a sample inventory with SAMPLE_INVENTORY=off',
      () =>
        write((database) => database.exec("insert into note (name, value) values ('sample.market', '1:1')")),
      'warn The store holds the sample inventory, but SAMPLE_INVENTORY is off',
    ],
    [
      'a feed with SAMPLE_INVENTORY=on',
      async () => {
        await noteImport(NOW);
        withVariables({ SAMPLE_INVENTORY: 'on' });
      },
      'bad The store holds the feed of SUN, but SAMPLE_INVENTORY is on',
    ],
    [
      'a feed that is days old',
      () => noteImport(NOW - 3 * 86_400_000),
      'warn The feed of SUN is late: the last import was 72 hours ago, on 2027-03-29 12:00 UTC.',
    ],
    [
      'a lost key',
      async () => {
        await write((database) =>
          database.exec("insert into note (name, value) values ('alerts.key', 'a hash')"),
        );
      },
      'bad The key of the price alerts does not match the store.',
    ],
    [
      'a truncated key',
      () => writeFileSync(join(dataDir, 'alerts.key'), 'half', { mode: 0o600 }),
      'alerts.key is not a valid key: it has 4 bytes.',
    ],
    [
      'an address of another machine',
      () => withVariables({ HOST: '192.0.2.1' }),
      'bad The server cannot listen on 192.0.2.1',
    ],
    [
      'a GraphQL schema that anyone can read',
      () => withVariables({ HOST: '0.0.0.0' }),
      'warn HOST is 0.0.0.0 and NODE_ENV is',
    ],
    [
      'production without TRUST_PROXY',
      () => withVariables({ NODE_ENV: 'production' }),
      'warn TRUST_PROXY is not set',
    ],
    [
      'a feed whose secret cannot be read',
      () => listFeed({ tokenFile: 'sun.token' }),
      'bad The feed of SUNW needs sun.token, which cannot be read.',
    ],
    [
      'a price check whose secret cannot be read',
      () => listFeed({}, { priceCheck: { url: 'https://check.sunward.example/', secretFile: 'sun.key' } }),
      'bad The price check of SUNW needs sun.key, which cannot be read.',
    ],
    [
      'a feed whose source does not respond',
      () => {
        listFeed({});
        change({ reach: () => Promise.reject(new Error('fetch failed')) });
      },
      "warn The source of SUNW's feed does not respond: fetch failed.",
    ],
    [
      'production without notices',
      () => withVariables({ NODE_ENV: 'production' }),
      'warn Skylark notifies no one of failures.',
    ],
    [
      'a provider that cannot be reached',
      () => {
        withVariables(META);
        environment = { ...environment, reach: () => Promise.reject(new Error('fetch failed')) };
      },
      'bad The provider meta at https://graph.facebook.com cannot be reached: fetch failed.',
    ],
    [
      'a mail server that refuses the login',
      () => {
        withVariables({ SMTP_URL: 'smtp://user:word@mail.example', MAIL_FROM: 'alerts@skylark.example' });
        environment = { ...environment, logInTo: async () => 'smtp auth 535 5.7.8' };
      },
      'bad The mail server mail.example:587 refuses the login: smtp auth 535 5.7.8.',
    ],
    [
      'a VAPID key of another curve',
      () => withVariables({ VAPID_KEY: 'f'.repeat(64) }),
      'bad VAPID_KEY is not a P-256 key.',
    ],
    [
      'a provider URL without TLS',
      () =>
        withVariables({
          ...META,
          NODE_ENV: 'production',
          PUBLIC_URL: 'https://a.example',
          META_API_URL: 'http://graph.example',
        }),
      'bad http://graph.example is not an https URL',
    ],
    [
      'alerts without the URL of the site',
      () => withVariables({ ...META, NODE_ENV: 'production' }),
      'PUBLIC_URL must be the URL of this site',
    ],
    [
      'no quiet hours',
      () => withVariables({ ...META, ALERT_QUIET_HOURS: 'none' }),
      'warn ALERT_QUIET_HOURS is none',
    ],
  ])('reports %s', async (_, make, words) => {
    await make();
    const found = await diagnose(environment);
    expect(troubles(found).join('\n')).toContain(words);
    for (const { level, remedy } of found) if (level !== 'ok') expect(remedy).toMatch(/\.$/);
    expect(JSON.stringify(found)).not.toContain('for tests only');
  });

  it('recommends freeing space if a disk is full or nearly full', async () => {
    for (const trouble of [{ tryToWrite: failing('ENOSPC', 'no space') }, { freeBytes: () => 1e6 }]) {
      const found = await diagnose({ ...environment, ...trouble });
      expect(found.find(({ level }) => level === 'bad')?.remedy).toMatch(/^Free some space/);
    }
  });

  it.each([
    ['another program', [], 'bad Another program uses port'],
    ['a Skylark server', [200, 200], 'ok A Skylark server is running at http://127.0.0.1:'],
    [
      'a Skylark server that is not ready',
      [503, 200],
      'warn A Skylark server is running at http://127.0.0.1:',
    ],
    ['a server that answers 404', [404, 404], 'bad Another program uses port'],
  ])('identifies the program on the port: %s', async (_, [ready, config], words) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    withVariables({ PORT: String(port) });
    const reach = async (url: string) => {
      const status = url.endsWith('/readyz') ? ready : config;
      if (status === undefined) throw new Error('fetch failed');
      return status;
    };
    const findings = await diagnose({ ...environment, reach });
    other.close();
    expect(findings.map(({ level, summary }) => `${level} ${summary}`).join('\n')).toContain(words);
  });

  it('reports messages that are stuck', async () => {
    const alerts = await openSmallAlerts();
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    environment = {
      ...environment,
      variables: { ...environment.variables, DATA_DIR: alerts.dataDir },
      now: NOW + 3_600_000,
    };
    expect(troubles(await diagnose(environment)).join('\n')).toMatch(
      /1 messages are waiting to be sent, the oldest for 60 min/,
    );
    await alerts.close();
  });

  it('prints the worst finding last, with its remedy', () => {
    const text = describeFindings([
      { level: 'bad', summary: 'The roof is off.', remedy: 'Put it on.' },
      { level: 'ok', summary: 'The walls stand.', remedy: null },
    ]);
    expect(text).toBe('ok    The walls stand.\nbad   The roof is off.\n      Put it on.');
  });
});

describe('exitCodeOf', () => {
  it('is 1 for something bad, and 3 for warnings in a strict run', () => {
    const levels = (...all: Finding['level'][]) => all.map((level) => ({ level }));
    expect(exitCodeOf(levels('ok', 'warn'), false)).toBe(0);
    expect(exitCodeOf(levels('ok', 'warn'), true)).toBe(3);
    expect(exitCodeOf(levels('ok', 'warn', 'bad'), true)).toBe(1);
    expect(exitCodeOf(levels('ok'), true)).toBe(0);
  });
});
