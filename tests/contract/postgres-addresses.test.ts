import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { problemsOf } from '../../server/conditions/condition.ts';
import { REPLICA_UNUSED } from '../../server/conditions/replica-unused.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import {
  type OpenPackageRepository,
  openPackageRepository,
} from '../../server/package-search/store/open-package-repository.ts';
import { SCHEMA_VERSION } from '../../server/storage/migrate.ts';
import { openDatabase, openDatabaseForReading } from '../../server/storage/open/database.ts';
import { checkServers, isLasting } from '../../server/storage/postgres/check-server.ts';
import { faultSentences } from '../../server/storage/postgres/unusable-server.ts';
import { startPostgres, type TestPostgres, withClient } from '../fixtures/postgres.ts';
import { REFERENCE } from '../fixtures/small-inventory.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const ENOUGH_SEARCHES = 12;
const PASSWORD = 'hush-hush';

const addressOf = (url: string, ...readUrls: string[]) => ({ kind: 'postgresql' as const, url, readUrls });

describe('A PostgreSQL that refuses Skylark', () => {
  let primary: TestPostgres;
  let replica: TestPostgres;
  /** The store's URL on each server, as a user whose password both servers check. */
  let url: string;
  let replicaUrl: string;

  const withPassword = (one: string, password: string) =>
    Object.assign(new URL(one), { username: 'skylark', password }).href;

  /** Makes a server check the password of connections to the store, or trust everyone. */
  async function checkPasswords(server: TestPostgres, isChecked: boolean): Promise<void> {
    await withClient(server.urlOf('postgres'), async (client) => {
      const { rows } = await client.query<{ hba_file: string }>('show hba_file');
      const lines = [
        ...(isChecked ? ['host store all 127.0.0.1/32 scram-sha-256'] : []),
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ];
      const values = lines.map((line) => `('${line}')`).join(', ');
      await client.query(`copy (values ${values}) to '${rows[0]?.hba_file}'`);
      await client.query('select pg_reload_conf()');
    });
  }

  beforeAll(async () => {
    primary = await startPostgres();
    await withClient(primary.urlOf('postgres'), async (client) => {
      await client.query(`alter role skylark password '${PASSWORD}'`);
      await client.query('create database store');
      await client.query('create database other');
      await client.query("create database latin encoding 'LATIN1' locale 'C' template template0");
    });
    for (const database of ['store', 'other']) {
      const writer = await openInventoryWriter(addressOf(primary.urlOf(database)));
      await writer.replaceReference(REFERENCE);
      await writer.writeNote('whose', database);
      await writer.close();
    }
    replica = await primary.replicate();
    url = withPassword(primary.urlOf('store'), PASSWORD);
    replicaUrl = withPassword(replica.urlOf('store'), PASSWORD);
  });
  afterAll(async () => {
    await replica?.remove();
    await primary?.remove();
  });
  beforeEach(async () => {
    await checkPasswords(primary, true);
    await checkPasswords(replica, true);
  });

  async function open(...urls: [string, ...string[]]): Promise<OpenPackageRepository> {
    const [main, ...readUrls] = urls;
    const repository = await openPackageRepository(
      addressOf(main, ...readUrls),
      readersOf(addressOf(main, ...readUrls)),
    );
    onTestFinished(() => repository.close());
    return repository;
  }

  /** The outcomes of searches that all replicas would take part in. */
  async function searches(repository: OpenPackageRepository): Promise<unknown[]> {
    const outcomes: unknown[] = [];
    for (let nth = 0; nth < ENOUGH_SEARCHES; nth += 1) {
      const found = await repository.search(() => []).catch((error: unknown) => String(error));
      outcomes.push(typeof found === 'string' ? found : found.catalogue.version.length > 0);
    }
    return outcomes;
  }
  const ALL_GOOD = Array.from({ length: ENOUGH_SEARCHES }, () => true);

  const faultOf = async (replicaAddress: string) => {
    const { replicas } = await checkServers(addressOf(url, replicaAddress));
    return replicas.map(({ name, fault }) => fault && faultSentences(name, fault))[0] ?? null;
  };

  const reported = (repository: OpenPackageRepository) =>
    expect.poll(() => [...repository.faults()].map(([name, fault]) => faultSentences(name, fault)));

  it('is searched on all its servers if they fit', async () => {
    const repository = await open(url, replicaUrl);
    expect(await searches(repository)).toEqual(ALL_GOOD);
    expect(await faultOf(replicaUrl)).toBeNull();
    await reported(repository).toEqual([]);
  });

  it('is searched without a replica that refuses the password, until it accepts it', async () => {
    const wrong = withPassword(replica.urlOf('store'), 'wrong');
    const fault =
      'Replica 1 of DATABASE_READ_URLS refuses the user "skylark" or its password. Correct the user and the password in the address.';
    const repository = await open(url, wrong);
    expect(await searches(repository)).toEqual(ALL_GOOD);
    await reported(repository).toEqual([fault]);
    expect(await faultOf(wrong)).toBe(fault);
    const { replicas } = await checkServers(addressOf(url, wrong));
    const [problem] = await problemsOf([REPLICA_UNUSED], { servers: replicas });
    expect(problem?.text).toContain(fault.replace(/^.* (?=refuses)/, ''));
    await using reading = openDatabaseForReading(addressOf(url, wrong));
    expect(await reading.prepare("select value from note where name = 'whose'").row()).toEqual(['store']);
    await checkPasswords(replica, false);
    await reported(repository).toEqual([]);
  });

  it.each([
    ['of another database of the same PostgreSQL', () => primary.urlOf('other'), 'has another database than'],
    ['of another database of a replica', () => replica.urlOf('other'), 'has another database than'],
    ['of the primary itself', () => primary.urlOf('store'), 'is not a replica, because it accepts writes'],
    ['of a database that does not exist', () => replica.urlOf('none'), 'has no database "none"'],
    ['of an unknown host', () => 'postgresql://skylark@nowhere.invalid/store', 'has an unknown host'],
    ['without a server', () => 'postgresql://skylark@127.0.0.1:1/store', 'does not respond'],
  ])('never asks a read address %s, and names it', async (_, readUrl, reason) => {
    const address = withPassword(readUrl(), PASSWORD);
    const fault = expect.stringContaining(`Replica 1 of DATABASE_READ_URLS ${reason}`);
    const repository = await open(url, address);
    expect(await searches(repository)).toEqual(ALL_GOOD);
    expect(await faultOf(address)).toEqual(fault);
    await reported(repository).toEqual([fault]);
    await using reading = openDatabaseForReading(addressOf(url, address));
    expect(await reading.prepare("select value from note where name = 'whose'").row()).toEqual(['store']);
  });

  it('never asks a replica with another schema', async () => {
    const other = await startPostgres();
    onTestFinished(() => other.remove());
    await (await openDatabase(addressOf(other.urlOf('postgres')))).close();
    const copy = await other.replicate();
    onTestFinished(() => copy.remove());
    const repository = await open(other.urlOf('postgres'), copy.urlOf('postgres'));
    await withClient(other.urlOf('postgres'), (client) =>
      client.query(`update schema_version set version = ${SCHEMA_VERSION + 1}`),
    );
    await copy.kill();
    await copy.start();
    await reported(repository).toContainEqual(
      expect.stringContaining(
        `Replica 1 of DATABASE_READ_URLS has a store of schema version ${SCHEMA_VERSION + 1}`,
      ),
    );
  });

  it('stops searches and writes with a temporary failure while it refuses the login', async () => {
    const repository = await open(url);
    await using database = await openDatabase(addressOf(url));
    await withClient(primary.urlOf('postgres'), async (client) => {
      await client.query("alter role skylark password 'changed'");
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'store'");
    });
    const write = () => database.exec("update note set value = value where name = 'whose'");
    await expect(write).rejects.toThrow('The store cannot be reached at the moment');
    await expect(repository.search(() => [])).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await reported(repository).toEqual([
      expect.stringContaining('PostgreSQL at DATABASE_URL refuses the user'),
    ]);
    await withClient(primary.urlOf('postgres'), (client) =>
      client.query(`alter role skylark password '${PASSWORD}'`),
    );
    await expect.poll(() => searches(repository)).toEqual(ALL_GOOD);
    await expect.poll(() => attempt(write)).toBe(true);
  });

  it.each([
    ['password', () => withPassword(primary.urlOf('store'), 'wrong'), 'refuses the user "skylark"', true],
    ['missing password', () => withPassword(primary.urlOf('store'), ''), 'refuses the user "skylark"', true],
    [
      'user',
      () => primary.urlOf('postgres').replace('skylark', 'nobody'),
      'refuses the login: role "nobody" does not exist',
      true,
    ],
    ['encoding', () => primary.urlOf('latin'), 'has a database with the encoding LATIN1', true],
    ['host', () => 'postgresql://nowhere.invalid/store', 'has an unknown host, "nowhere.invalid"', false],
    ['port', () => 'postgresql://127.0.0.1:1/store', 'does not respond: connect ECONNREFUSED', false],
    ['TLS', () => `${primary.urlOf('postgres')}?sslmode=require`, 'accepts no TLS connection', true],
  ])('names the cause and the remedy of a wrong %s', async (_, wrongUrl, reason, lasts) => {
    const { primary: checked } = await checkServers(addressOf(wrongUrl()));
    const { fault } = checked;
    if (fault === null) throw new Error('The address was accepted');
    expect(faultSentences(checked.name, fault)).toContain(`PostgreSQL at DATABASE_URL ${reason}`);
    expect(fault.remedy).toMatch(/^(Correct|Create|Check)/);
    expect(isLasting(fault)).toBe(lasts);
    expect(faultSentences(checked.name, fault)).not.toContain(PASSWORD);
  });

  it('is still searched on a replica that was promoted after the primary was lost', async () => {
    const lost = await startPostgres();
    await (await openDatabase(addressOf(lost.urlOf('postgres')))).close();
    const successor = await lost.replicate();
    onTestFinished(() => successor.remove());
    await withClient(lost.urlOf('postgres'), (client) => client.query('select pg_switch_wal()'));
    await lost.remove();
    await withClient(successor.urlOf('postgres'), (client) => client.query('select pg_promote()'));
    const repository = await open(lost.urlOf('postgres'), successor.urlOf('postgres'));
    await expect.poll(() => attempt(() => repository.referenceVersion())).toBe(true);
  });
});

function attempt(work: () => unknown): boolean | Promise<boolean> {
  try {
    const done = work();
    return done instanceof Promise
      ? done.then(
          () => true,
          () => false,
        )
      : true;
  } catch {
    return false;
  }
}
