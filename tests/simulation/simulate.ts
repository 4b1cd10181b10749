import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoizeAll } from '../../server/lib/memoize.ts';
import { between, chance, drawn, during, pick } from './faults.ts';
import {
  dailyRun,
  type FeedFile,
  type FeedServer,
  feedServer,
  itemKeyOf,
  londonDay,
} from './feed-servers.ts';
import { fireDue, LOST, machine, OK, type SimReply, settle, startMachine, worldAfter } from './machine.ts';
import { type Conditions, noticeModel } from './notice-model.ts';
import { people } from './people.ts';
import { priceRunModel } from './price-run-model.ts';
import { type Attempt, saleModel, Violation } from './sale-model.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2027, 0, 4);

/** While nothing happens, timers of the product fire up to this late, as on a machine that was asleep. */
const MAX_STRIDE_MS = 120 * MINUTE_MS;
/** As above while a request has no response. Shorter than it takes a notice to be over. */
const MAX_HANGING_STRIDE_MS = 4 * MINUTE_MS;

/** Of 5 providers: 30 reports, and at most 8 feeds each with its mapping. The other files are few. */
const MAX_FILES = 5 * (30 + 2 * 8) + 20;
const MAX_ROWS = 20_000;
const MAX_TIMERS = 400;
const MAX_REQUESTS = 100;
const MAX_CONNECTIONS = 12;
const MAX_HEAP_BYTES = 250e6;
const DAYS_BETWEEN_HEAPS = 10;

export interface SimulationOptions {
  seed: number;
  days: number;
  packages?: number;
  /** Shows each event. */
  show?: ((line: string) => void) | undefined;
}

export interface SimulationResult {
  hash: string;
  days: number;
  /** The faults that were drawn, in order. */
  faults: readonly string[];
  events: number;
  /** Null: no violation. */
  failure: { message: string; day: number; lastEvents: string[] } | null;
}

/** Runs one world. Once per process, because the machine replaces what Node offers. */
export async function simulate({
  seed,
  days,
  packages = 60,
  show,
}: SimulationOptions): Promise<SimulationResult> {
  const shm = '/dev/shm';
  // Of a fixed length, because the trace has the beginnings of messages.
  const own = `skylark-simulation-${String(process.pid).padStart(8, '0')}`;
  const dataDir = join(existsSync(shm) ? shm : tmpdir(), own);
  startMachine(seed, START);
  // Only now, so that the product sees the simulated machine.
  const { prepareFolder, product } = await import('./product.ts');
  const { alertKeys, keyFingerprintOf } = await import('../../server/alerts/keys/alert-keys.ts');
  const { KEY_NOTE, wrapped } = await import('../../server/alerts/keys/key-ring.ts');
  const keys = alertKeys(Buffer.from('a'.repeat(64), 'hex'));
  let generation = 1;
  let keyOf = memoizeAll((number: string) => keys.hash('number', number));
  const trace = createHash('sha256');
  const lastEvents: string[] = [];
  let events = 0;
  let failure: SimulationResult['failure'] = null;

  function record(line: string): void {
    events += 1;
    const at = new Date(machine.now()).toISOString().slice(0, 19);
    const event = `${at} ${line.replaceAll(dataDir, 'DATA_DIR')}`;
    trace.update(`${event}\n`);
    lastEvents.push(event);
    if (lastEvents.length > 30) lastEvents.shift();
    show?.(event);
  }

  const servers = Array.from({ length: 5 }, (_, index) => feedServer(index, packages));
  const models = servers.map((one) => saleModel(one.code, one.known));
  const modelOf = (code: string) => models.find((one) => one.code === code) as (typeof models)[number];
  const serverOf = (code: string) => servers.find((one) => one.code === code) as FeedServer;
  /** When the machine's last trouble ended, on the steady clock: a death, a full disk, a lock, a stopped server. */
  let troubleEndedAt = 0;
  let lastTrouble = Number.NEGATIVE_INFINITY;
  const trouble = () => {
    lastTrouble = machine.steady;
    troubleEndedAt = machine.steady;
  };

  /** Of which an operator has removed one from providers.json. */
  let unlisted: FeedServer | null = null;
  const listed = () => servers.filter((one) => one !== unlisted);
  const settings = () => ({
    providers: listed().map(({ code, name, hour, hasChanges, maxAge }) => {
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
    }),
  });
  prepareFolder(dataDir, settings());

  machine.network = (url, { headers }, body) => {
    if (url.hostname === 'graph.facebook.com') {
      dieWithMessage();
      return crowd.call(body);
    }
    const checked = /^check\.(\w+)\.example$/.exec(url.hostname)?.[1]?.toUpperCase();
    if (checked !== undefined) return saysPrice(checked, body);
    const code = /^feeds\.(\w+)\.example$/.exec(url.hostname)?.[1]?.toUpperCase();
    if (code === undefined) return LOST;
    const reply = serverOf(code).respond(url.pathname, headers as Record<string, string>);
    record(`${code} is asked for ${url.pathname}: ${reply.status} ${reply.end}`);
    if (chance(0.4)) checkPrice(code);
    return reply;
  };

  /** A visitor has a price checked while the feed is imported: of a package that has gone, if there is one. */
  function checkPrice(code: string): void {
    const { sale } = modelOf(code);
    const inFeed = new Set(
      serverOf(code)
        .current()
        ?.rows.map(({ hotel }) => hotel),
    );
    const gone = [...sale()].filter(([hotel]) => !inFeed.has(hotel));
    const [hotel, one] = pick(gone.length > 0 ? gone : [...sale()]) ?? [];
    if (hotel === undefined || one === undefined) return;
    worldAfter(5, () => void skylark.check(itemKeyOf(hotel, one.departs), one.price));
  }

  function saysPrice(code: string, body: string): SimReply {
    const hotel = `${code} ${(JSON.parse(body) as { hotel: string }).hotel.slice(1)}`;
    const one = modelOf(code).sale().get(hotel);
    const price = Math.round(((one?.price ?? 100_000) * (chance(0.5) ? 1 : between(0.95, 1.05))) / 100) * 100;
    if (one !== undefined) {
      // Each may be recorded: the server drops those of offers that have changed meanwhile.
      const prices = [price, ...(one.checked?.prices ?? [])].slice(0, 3);
      one.checked = { prices, at: Math.max(machine.now() + 5_000, one.checked?.at ?? 0) };
    }
    record(`${hotel} is checked: ${price}`);
    const reply = { available: true, totalPrice: price / 100, currency: 'GBP' };
    return { ...OK, body: JSON.stringify(reply) };
  }

  const skylark = product({
    dataDir,
    async sendNotice(event, { key }) {
      if (!skylark.isUp()) throw new Error('The server is dead');
      if (areNoticesLost) {
        notices.failed(key, machine.now());
        throw new Error('The simulated mail server is down');
      }
      record(`notice ${event}: ${key}`);
      checked(() => notices.sent(event, key, machine.now()));
    },
    log: (line) => record(`log: ${line.slice(0, 300)}`),
    onNotices(isOver) {
      // A run that dies has saved nothing.
      if (!skylark.isUp()) return;
      observe();
      checked(() => (isOver ? notices.ran(machine.now()) : notices.look(machine.now())));
    },
    importLives: () => {
      if (!isDyingImport) return null;
      isDyingImport = false;
      trouble();
      return Math.floor(between(0, 1) ** 2 * 4_000);
    },
  });
  let isDyingImport = false;
  let isDyingWithMessage = false;
  let areNoticesLost = false;
  let isRotating = false;
  const notices = noticeModel(() => conditions(machine.now()));
  const crowd = people({
    alerts() {
      dieWithMessage();
      return skylark.alerts();
    },
    priceOf: (hotel) => modelOf(hotel.slice(0, 4)).sale().get(hotel)?.price ?? null,
    anyHotel() {
      const { sale } = pick(models);
      const hotel = pick([...sale()]);
      return hotel === undefined ? null : { hotel: hotel[0], departs: hotel[1].departs };
    },
    observe,
    record,
    quietSince: () => (skylark.isUp() && !machine.isDiskFull ? troubleEndedAt : machine.steady),
    fail: (error) =>
      checked(() => {
        throw error;
      }),
  });
  let observer: DatabaseSync | null = null;
  let isBackupDue = false;

  // The world's events.

  function each(days: number, run: () => void): void {
    worldAfter(days * DAY_MS, () => {
      run();
      each(days, run);
    });
  }

  function startDay(): void {
    crowd.startDay();
    for (const one of servers) {
      one.startDay();
      worldAfter(between(0.2, 1.5) * HOUR_MS, () => record(`${one.code} exports: ${one.exportFull()}`));
      for (const hour of [7, 10, 13])
        worldAfter(between(hour, hour + 1) * HOUR_MS, () => one.exportChanges());
    }
    during('import dies', '', () => {
      isDyingImport = true;
    });
    during('server dies', '', () => dieWithin(400));
    during('server dies with a message', '', () => {
      isDyingWithMessage = true;
    });
    during('server stops', '', stop, start);
    during('disk is full', '', setDisk(true), setDisk(false));
    during('store is locked', '', lockStore, unlockStore);
    during('notices fail', '', loseNotices(true), loseNotices(false));
    during('clock jumps', '', setClock(between(-1, 1) ** 3 * 20 * HOUR_MS), setClock(0));
    during('settings change', '', changeSettings);
    during(
      'a provider is unlisted',
      '',
      () => list(pick(servers)),
      () => list(null),
    );
    during('rollback', '', () => void operate(['rollback', pick(servers).code, '--yes']));
    during('prices are accepted', '', () => void operate(['accept', pick(servers).code]));
  }

  function dieWithin(steps: number): void {
    const own = skylark.process();
    if (own === null) return;
    own.dieAfter = Math.floor(between(0, steps));
    trouble();
  }

  /** While a message is sent or received. */
  function dieWithMessage(): void {
    if (isDyingWithMessage && chance(0.5)) {
      isDyingWithMessage = false;
      dieWithin(40);
    }
  }

  const loseNotices = (areLost: boolean) => () => {
    areNoticesLost = areLost;
  };

  const setDisk = (isFull: boolean) => () => {
    machine.isDiskFull = isFull;
    machine.isFullAtCommit = chance(0.5);
    trouble();
    record(isFull ? 'the disk is full' : 'the disk has space');
  };

  const setClock = (error: number) => () => {
    machine.wallOffset += error - machine.wallError;
    machine.wallError = error;
    record(`the clock is wrong by ${Math.round(error / MINUTE_MS)} minutes`);
    notices.delayed(machine.now());
    trouble();
  };

  /** An operator renames a provider, whose stored feed is imported again. */
  function changeSettings(): void {
    const one = pick(servers);
    one.name = `${one.code} of day ${Math.floor(machine.steady / DAY_MS)}`;
    writeFileSync(join(dataDir, 'providers.json'), JSON.stringify(settings()));
    record(`an operator renames ${one.code}`);
  }

  /** An operator removes a provider from providers.json; null: all are back. */
  function list(one: FeedServer | null): void {
    unlisted = one;
    writeFileSync(join(dataDir, 'providers.json'), JSON.stringify(settings()));
    record(
      one === null ? 'an operator lists all providers' : `an operator removes ${one.code} from the list`,
    );
    trouble();
  }

  let locking: DatabaseSync | null = null;

  function lockStore(): void {
    try {
      locking = new DatabaseSync(join(dataDir, 'inventory.sqlite'));
      locking.exec('begin immediate');
      record('the store is locked');
      trouble();
    } catch {
      // A write is in progress.
      unlockStore();
    }
  }

  function unlockStore(): void {
    locking?.close();
    locking = null;
    trouble();
  }

  async function stop(): Promise<void> {
    if (!skylark.isUp()) return;
    record('the server stops');
    await skylark.stop();
    trouble();
    if (chance(0.3)) await rotateKeys(Buffer.from(String(machine.random()).padEnd(32).slice(0, 32)));
  }

  /** An operator rotates the alerts' key. A command that dies is repeated with the same new key. */
  async function rotateKeys(next: Buffer): Promise<void> {
    isRotating = true;
    await skylark.rotateKeys(next, chance(0.5) ? Math.floor(between(0, 300)) : null);
    const [now, hashOf] = [alertKeys(next), keyOf];
    const note = observer?.prepare('select value from note where name = ?').get(KEY_NOTE);
    isRotating = note?.value !== keyFingerprintOf(now);
    record(`an operator rotates the key: ${!isRotating}`);
    if (isRotating) return worldAfter(MINUTE_MS, () => void rotateKeys(next));
    process.env.ALERTS_KEY = next.toString('hex');
    generation += 1;
    const own = generation;
    keyOf = memoizeAll((number: string) => wrapped(now, own, hashOf(number)));
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

  /** Backs the store up while time stands still. The restored store must be the same. */
  async function backUp(): Promise<void> {
    isBackupDue = false;
    if (machine.isDiskFull || locking !== null || observer === null) return;
    const folder = `${dataDir}-backup`;
    const fault = await skylark.backUp(folder);
    const [copied, own] = [folder, dataDir].map((one) => contentsOf(join(one, 'inventory.sqlite')));
    rmSync(folder, { recursive: true });
    record(`the store is backed up: ${fault}`);
    if (fault !== null || copied !== own) fail(`The backup failed or differs: ${fault}`);
  }

  async function operate(words: readonly string[]): Promise<void> {
    const { exit, said } = await skylark.command(words);
    record(`an operator runs ${words.join(' ')}: ${exit} ${said.slice(0, 120)}`);
    if (exit === 4 || exit === null) worldAfter(5 * MINUTE_MS, () => void operate(words));
  }

  // What is observed after each event.

  const done = new Map<number, string>();
  let newest = 0;
  /** The London day of the last comparison; the first of each day compares everything. */
  let comparedOn = '';
  const compareRuns = priceRunModel();
  const waitingForOperator = new Set<string>();

  function observe(): void {
    observer ??= existsSync(join(dataDir, 'inventory.sqlite'))
      ? new DatabaseSync(join(dataDir, 'inventory.sqlite'), { readOnly: true })
      : null;
    if (observer === null) return;
    const store = observer;
    const { written } = machine;
    const isNewDay = londonDay(machine.now()) !== comparedOn;
    comparedOn = londonDay(machine.now());
    checked(() => {
      const hasEnded = written.delete('feed_attempt') && observeAttempts(store);
      if (written.delete('offer') || hasEnded || isNewDay) {
        compareSale(store);
        compareRuns(store);
      }
      for (const one of servers) requireCurrent(one);
      crowd.followPrices();
      if (![...written].some((table) => table.startsWith('alert_')) && !isNewDay) return;
      crowd.compareWatches(
        store
          .prepare(`select contact_key, item_key, state from alert_watch
            join alert_contact on alert_contact.id = contact where state <> 'ended'`)
          .all()
          .map((row) => [`${String(row.contact_key)} ${String(row.item_key)}`, String(row.state)]),
        keyOf,
      );
      written.clear();
    });
  }

  /** Ends the simulation at the first violation. */
  function checked(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      fail(error.message);
    }
  }

  /** The conditions that operators have to know about now, with their grace in ms. */
  function conditions(now: number): Conditions {
    const found: Conditions = new Map();
    const isSold = ({ sale }: (typeof models)[number]) =>
      [...sale().values()].some(({ departs }) => departs > londonDay(now));
    if (!models.some(isSold)) found.set('empty', 10 * MINUTE_MS);
    for (const [index, model] of models.entries()) {
      const { code, hour, hasChanges, maxAge } = servers[index] as FeedServer;
      // Until its packages are withdrawn, the rest is as before.
      if (code === unlisted?.code && model.sale().size === 0) continue;
      const { goodAt, wholeAt, hasFailed } = model.state();
      if (model.held() !== null) found.set(`feed held ${code}`, 0);
      if (hasFailed) found.set(`feed failed ${code}`, 10 * MINUTE_MS);
      if (goodAt === null) found.set(`feed missing ${code}`, 30 * HOUR_MS);
      if (model.areChangesMissing()) found.set(`feed changes missing ${code}`, 10 * MINUTE_MS);
      if (goodAt === null || wholeAt === null) continue;
      const late = dailyRun(hour, wholeAt, true) + 6 * HOUR_MS;
      const changesLate = hasChanges ? dailyRun(14 + ((hour + 2 / 3) % 1), goodAt, true) + 6 * HOUR_MS : late;
      if (now > Math.min(late, changesLate)) found.set(`feed late ${code}`, 0);
      if (!isSold(model)) found.set(`feed empty ${code}`, 0);
      const madeAt = model.last()?.madeAt ?? now;
      if (model.seenAt() !== null && now - madeAt > (maxAge ?? 168) * HOUR_MS)
        found.set(`feed same ${code}`, 0);
    }
    return found;
  }

  /** Follows the attempts that have ended. Returns whether there were any. */
  function observeAttempts(store: DatabaseSync): boolean {
    const before = done.size;
    const rows = store
      .prepare(`select id, provider, started_at, ended_at, source, outcome, message, detail from feed_attempt
        where id > ? order by id`)
      .all(newest - 40);
    for (const row of rows) {
      const id = Number(row.id);
      const outcome = String(row.outcome);
      if (done.has(id) || outcome === 'running') continue;
      done.set(id, outcome);
      newest = Math.max(newest, id);
      const code = String(row.provider);
      const source = String(row.source);
      const detail = JSON.parse(String(row.detail)) as {
        checksum?: string;
        isChanges?: boolean;
        missing?: number;
      };
      const message = String(row.message);
      record(`attempt ${id} of ${code} (${source}): ${outcome} ${message.slice(0, 100)}`);
      const server = serverOf(code);
      const isChanges = detail.isChanges === true;
      const delivery = server.deliveries.findLast((one) => one.isChanges === isChanges);
      const attempt = {
        startedAt: Number(row.started_at),
        outcome,
        isAccepted: /^(changes from )?(the feed held|the prices quarantined|rollback)/.test(source),
        isRollback: source.startsWith('rollback'),
        isReapplied: source.startsWith('a change of'),
        isUnlisted: source === 'providers.json does not list it',
        isChanges,
        isGap: detail.missing !== undefined,
        checksum: detail.checksum ?? null,
        message,
      };
      const served = delivery?.kind === 'fault' ? null : (delivery?.file ?? null);
      const model = modelOf(code);
      model.ended(attempt, { served, excuse: excuseOf(server, delivery ?? null, attempt) });
      if (model.held() !== null && !waitingForOperator.has(code)) {
        waitingForOperator.add(code);
        worldAfter(between(1, 40) * HOUR_MS, () => {
          waitingForOperator.delete(code);
          const words = chance(0.75) ? ['discard', code, '--yes'] : ['accept', code];
          void operate(words).then(() => settleHeld(code, words[0] === 'discard'));
        });
      }
    }
    return done.size > before;
  }

  function settleHeld(code: string, isDiscard: boolean): void {
    const row = observer
      ?.prepare(`select outcome from feed_attempt where provider = ? and outcome in ('held', 'discarded')
      order by id desc limit 1`)
      .get(code);
    if (isDiscard && row?.outcome === 'discarded') modelOf(code).discard();
  }

  function excuseOf(
    server: FeedServer,
    delivery: { kind: string; file: FeedFile | null } | null,
    { isGap, startedAt }: Attempt,
  ): string | null {
    const model = modelOf(server.code);
    const since = Math.min(machine.now() - 2 * HOUR_MS, startedAt - MINUTE_MS);
    if (machine.isDiskFull || lastTrouble + machine.wallOffset > since) return 'trouble';
    if (delivery === null || delivery.kind === 'fault') return 'fault';
    const { file } = delivery;
    if (file?.isUnusable) return 'unusable';
    if (file !== null && file.stampedAt < model.stampedAt()) return 'older';
    if (isGap) return 'gap';
    return null;
  }

  function compareSale(store: DatabaseSync): void {
    const now = machine.now();
    const today = Math.floor(now / DAY_MS);
    const rows = store
      .prepare(`select provider.code, hotel.name, price, seen_at, departure_day from offer
        join provider on provider.id = offer.provider join hotel on hotel.id = offer.hotel where departure_day > ?`)
      .all(today);
    const found = new Map(models.map(({ code }) => [code, new Set<string>()]));
    for (const { code, name, price, seen_at, departure_day } of rows) {
      const hotel = String(name).replace('Hotel ', '');
      found.get(String(code))?.add(hotel);
      const is = modelOf(String(code)).sale().get(hotel);
      // An import removes what departs tomorrow.
      if (is === undefined && Number(departure_day) === today + 1) continue;
      if (is === undefined) throw new Violation(`${hotel} is on sale, and should not be`);
      if (is.checked?.prices.includes(Number(price))) is.price = Number(price);
      is.seenAt = Number(seen_at) * MINUTE_MS;
      if (is.price !== Number(price))
        throw new Violation(`${hotel} costs ${Number(price)}, and should cost ${is.price}`);
      if (is.seenAt > Math.max(is.madeAt, is.checked?.at ?? 0) && serverOf(String(code)).isDated)
        throw new Violation(`${hotel} was seen later than its file was made`);
    }
    for (const { code, sale } of models)
      for (const [hotel, { departs }] of sale())
        if (Date.parse(departs) / DAY_MS > today + 1 && !found.get(code)?.has(hotel))
          throw new Violation(`${hotel} is not on sale, and should be`);
  }

  // The inspector's `collectGarbage` leaves most garbage for later.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  /** Nothing grows without end but the price history, which an unsimulated refresh of the models shortens. */
  function checkBounds(): void {
    const files = readdirSync(dataDir, { recursive: true }).length;
    const own = skylark.process()?.connections.size ?? 0;
    if (machine.timers.size > MAX_TIMERS || own > MAX_CONNECTIONS)
      throw new Violation(`There are ${machine.timers.size} timers, and the server has ${own} connections`);
    for (const { code, deliveries } of servers) {
      const requests = deliveries.splice(0, Math.max(0, deliveries.length - 30)).length;
      if (requests > MAX_REQUESTS) throw new Violation(`${code} got ${requests} requests in a day`);
    }
    if (files > MAX_FILES) throw new Violation(`The data folder has ${files} files`);
    if (Math.round(machine.steady / DAY_MS) % DAYS_BETWEEN_HEAPS === 0) {
      collectGarbage();
      const { heapUsed } = process.memoryUsage();
      if (heapUsed > MAX_HEAP_BYTES) throw new Violation(`The heap has ${heapUsed} bytes`);
    }
    const tables = observer?.prepare("select name from sqlite_master where type = 'table'").all() ?? [];
    for (const { name } of tables) {
      if (name === 'price_observation') continue;
      const rows = Number(observer?.prepare(`select count(*) as rows from ${String(name)}`).get()?.rows);
      if (rows > MAX_ROWS) throw new Violation(`The table ${String(name)} has ${rows} rows`);
    }
  }

  /** A healthy source's last file has been read, once its run was due for long enough. */
  function requireCurrent(server: FeedServer): void {
    if (!skylark.isUp() || machine.isDiskFull || server === unlisted) return;
    const model = modelOf(server.code);
    const isSold = [...model.sale().values()].some(
      ({ departs }) => Date.parse(departs) > machine.now() + DAY_MS,
    );
    const age = machine.now() - (model.seenAt() ?? machine.now());
    if (isSold && age > (server.maxAge ?? 168) * HOUR_MS + DAY_MS && machine.steady > troubleEndedAt + DAY_MS)
      throw new Violation(`${server.code} has been on sale for too long without its feed`);
    const file = server.current();
    if (file === null || file.isUnusable || model.isRejected(file) || model.held() !== null) return;
    const quietSince = Math.max(server.faultlessSince, troubleEndedAt);
    const couldBeRead = Math.max(quietSince, file.stampedAt - machine.wallOffset);
    if (model.last() !== null && !isSold && machine.steady > couldBeRead + 5 * HOUR_MS)
      throw new Violation(`${server.code} has nothing on sale, although its feed can be imported`);
    const due = dailyRun(server.hour, machine.now(), false);
    if (file.stampedAt >= due) return;
    if (machine.steady < Math.max(due - machine.wallOffset, quietSince) + 5 * HOUR_MS) return;
    if (model.readAt() < due - MINUTE_MS)
      throw new Violation(
        `${server.code} has not been read since it was due at ${new Date(due).toISOString()}`,
      );
  }

  function fail(message: string): void {
    failure ??= { message, day: Math.floor(machine.steady / DAY_MS), lastEvents: [...lastEvents] };
  }

  function nextTimer(isWorlds: boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const timer of machine.timers.values())
      if (timer.isWorlds === isWorlds && timer.at < next) next = timer.at;
    return next;
  }

  // The loop.

  startDay();
  each(1, () => {
    startDay();
    checked(checkBounds);
  });
  worldAfter(30 * MINUTE_MS, () => void start());
  each(5.3, () => {
    isBackupDue = true;
  });
  let stride = 0;
  let seenActivity = -1;
  const end = days * DAY_MS;
  while (machine.steady < end && failure === null) {
    await settle();
    // The system's threads copy the store, so time waits for them.
    if (isBackupDue) await backUp();
    if (!skylark.isUp() && skylark.process()?.isDead === true) {
      record('the server died');
      skylark.die();
      trouble();
      worldAfter(between(1_000, 10 * MINUTE_MS), () => void start());
    }
    if (machine.activity !== seenActivity) {
      seenActivity = machine.activity;
      stride = 0;
      observe();
    } else stride = stride === 0 ? 10_000 : between(0.1, 1) * MAX_STRIDE_MS;
    if (machine.openRequests > 0) stride = Math.min(stride, MAX_HANGING_STRIDE_MS);
    else if (skylark.isImporting()) stride = Math.min(stride, 1_000);
    const earliest = machine.steady + stride;
    for (let isAwake = false; !isAwake && machine.activity === seenActivity; ) {
      const world = nextTimer(true);
      // Again each time, because a server may have started.
      const wakeAt = Math.max(nextTimer(false), earliest);
      isAwake = wakeAt <= world;
      machine.steady = Math.min(world, wakeAt);
      fireDue(isAwake);
      await settle();
    }
  }
  skylark.die();
  (observer as DatabaseSync | null)?.close();
  await settle();
  rmSync(dataDir, { recursive: true, force: true });
  return {
    hash: trace.digest('hex'),
    days,
    faults: [...drawn],
    events,
    failure,
  };
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
