import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { alertKeys, keyFingerprintOf } from '../../server/alerts/keys/alert-keys.ts';
import { KEY_NOTE, wrapped } from '../../server/alerts/keys/key-ring.ts';
import { memoizeAll } from '../../server/lib/memoize.ts';
import { between, chance, during, pick } from './faults.ts';
import { machine, worldAfter } from './machine.ts';
import type { product } from './product.ts';
import type { Provider, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The people who run the site. They begin with all providers listed. Import this only after `startMachine`: it loads the product. */
export function operators(world: World, skylark: ReturnType<typeof product>) {
  const { dataDir, providers, record, fail, providerOf } = world;
  const trouble = () => {
    world.troubledAt = machine.steady;
  };
  let isRotating = false;
  let generation = 1;
  const firstKey = alertKeys(Buffer.from(String(process.env.ALERTS_KEY), 'hex'));
  let keyOf = memoizeAll((number: string) => firstKey.hash('number', number));
  const reviewing = new Set<string>();

  writeProviders(world);

  function startDay(): void {
    during('server stops', '', stop, start);
    during('settings change', '', rename);
    during(
      'a provider is unlisted',
      '',
      () => unlist(pick(providers)),
      () => unlist(null),
    );
    during('rollback', '', () => void run(['rollback', pick(providers).code, '--yes']));
    during('prices are accepted', '', () => void run(['accept', pick(providers).code]));
  }

  async function stop(): Promise<void> {
    if (!skylark.isUp()) return;
    record('the server stops');
    await skylark.stop();
    trouble();
    if (chance(0.3)) await rotateKeys(Buffer.from(String(machine.random()).padEnd(32).slice(0, 32)));
  }

  async function start(): Promise<void> {
    if (skylark.isUp()) return;
    trouble();
    if (isRotating) return worldAfter(MINUTE_MS, () => void start());
    const hasStarted = await skylark.start();
    record(`the server starts: ${hasStarted}`);
    trouble();
    if (!hasStarted) worldAfter(MINUTE_MS, () => void start());
  }

  /** Rotates the alerts' key while no server runs. A command that dies is repeated with the same new key. */
  async function rotateKeys(next: Buffer): Promise<void> {
    isRotating = true;
    await skylark.rotateKeys(next, chance(0.5) ? Math.floor(between(0, 300)) : null);
    const [now, hashOf] = [alertKeys(next), keyOf];
    const note = world.store?.prepare('select value from note where name = ?').get(KEY_NOTE);
    isRotating = note?.value !== keyFingerprintOf(now);
    record(`an operator rotates the key: ${!isRotating}`);
    if (isRotating) return worldAfter(MINUTE_MS, () => void rotateKeys(next));
    process.env.ALERTS_KEY = next.toString('hex');
    generation += 1;
    const own = generation;
    keyOf = memoizeAll((number: string) => wrapped(now, own, hashOf(number)));
  }

  /** Renames a provider; the server then imports its stored feed again. */
  function rename(): void {
    const { code, server } = pick(providers);
    server.name = `${code} of day ${Math.floor(machine.steady / DAY_MS)}`;
    writeProviders(world);
    record(`an operator renames ${code}`);
  }

  /** Removes a provider from providers.json; null: all are back. */
  function unlist(one: Provider | null): void {
    world.unlisted = one;
    writeProviders(world);
    record(
      one === null ? 'an operator lists all providers' : `an operator removes ${one.code} from the list`,
    );
    trouble();
  }

  async function run(words: readonly string[]): Promise<void> {
    const { exit, said } = await skylark.command(words);
    record(`an operator runs ${words.join(' ')}: ${exit} ${said.slice(0, 120)}`);
    if (exit === 4 || exit === null) worldAfter(5 * MINUTE_MS, () => void run(words));
  }

  /** Lets somebody review a feed that is held, within two days. */
  function review(code: string): void {
    if (reviewing.has(code)) return;
    reviewing.add(code);
    worldAfter(between(1, 40) * HOUR_MS, () => {
      reviewing.delete(code);
      void (chance(0.75) ? discard(code) : run(['accept', code]));
    });
  }

  async function discard(code: string): Promise<void> {
    await run(['discard', code, '--yes']);
    const last = world.store
      ?.prepare(`select outcome from feed_attempt where provider = ? and outcome in ('held', 'discarded')
      order by id desc limit 1`)
      .get(code);
    if (last?.outcome === 'discarded') providerOf(code).model.discard();
  }

  /** Backs up the store while time stands still. The restored copy must have the same contents. */
  async function backUp(): Promise<void> {
    if (machine.isDiskFull || world.store === null) return;
    const folder = `${dataDir}-backup`;
    const fault = await skylark.backUp(folder);
    const [copied, own] = [folder, dataDir].map((one) => contentsOf(join(one, 'inventory.sqlite')));
    rmSync(folder, { recursive: true });
    record(`the store is backed up: ${fault}`);
    if (fault !== null || copied !== own) fail(`The backup failed or differs: ${fault}`);
  }

  return {
    startDay,
    start,
    review,
    backUp,
    /** How the store names a person's number. */
    keyOf: (number: string) => keyOf(number),
  };
}

function writeProviders({ dataDir, providers, unlisted }: World): void {
  const listed = providers.filter((one) => one !== unlisted);
  const settings = listed.map(({ code, server: { name, hour, hasChanges, maxAge } }) => {
    const url = `https://feeds.${code.toLowerCase()}.example/all`;
    const minutes = Math.round((hour % 1) * 60);
    const changes = { source: `${url}-changes`, schedule: `${(minutes + 40) % 60} 14 * * *` };
    return {
      code,
      name,
      priceCheck: { url: `https://check.${code.toLowerCase()}.example/`, perMinute: 600 },
      linkHosts: [`www.${code.toLowerCase()}.example`],
      feed: {
        source: url,
        format: 'items-json',
        schedule: `${minutes} ${Math.floor(hour)} * * *`,
        timeZone: 'UTC',
        ...(maxAge === null ? {} : { maxAge }),
        ...(hasChanges ? { changes } : {}),
      },
    };
  });
  writeFileSync(join(dataDir, 'providers.json'), JSON.stringify({ providers: settings }));
}

function contentsOf(path: string): string {
  const store = new DatabaseSync(path, { readOnly: true });
  const hash = createHash('sha256');
  for (const { name } of store.prepare("select name from sqlite_master where type = 'table'").all())
    for (const row of store.prepare(`select * from ${String(name)}`).iterate())
      hash.update(JSON.stringify(row));
  store.close();
  return hash.digest('hex');
}
