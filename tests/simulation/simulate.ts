import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bounds } from './bounds.ts';
import { clicks } from './clicks.ts';
import { between, chance, drawn, during, pick } from './faults.ts';
import { feedObserver } from './feed-observer.ts';
import { feedServer, itemKeyOf, londonDay } from './feed-servers.ts';
import { fireDue, LOST, machine, OK, type SimReply, settle, startMachine, worldAfter } from './machine.ts';
import { conditions, noticeModel } from './notice-model.ts';
import { people } from './people.ts';
import { priceRunModel } from './price-run-model.ts';
import { saleModel, Violation } from './sale-model.ts';
import type { Provider, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2027, 0, 4);

/** While nothing happens, timers of the product fire up to this late, as on a machine that was asleep. */
const MAX_STRIDE_MS = 120 * MINUTE_MS;
/** As above while a request has no response. Shorter than it takes a notice to be over. */
const MAX_HANGING_STRIDE_MS = 4 * MINUTE_MS;

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
  const { operators } = await import('./operators.ts');
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

  function fail(message: string): void {
    failure ??= { message, day: Math.floor(machine.steady / DAY_MS), lastEvents: [...lastEvents] };
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

  const servers = Array.from({ length: 5 }, (_, index) => feedServer(index, packages));
  const providers = servers.map((server) => {
    const { code, known } = server;
    return { code, server, model: saleModel(code, known) };
  });
  const providerOf = (code: string) => providers.find((one) => one.code === code) as Provider;
  const world: World = {
    dataDir,
    providers,
    unlisted: null,
    troubledAt: 0,
    store: null,
    providerOf,
    record,
    fail,
  };
  const trouble = () => {
    world.troubledAt = machine.steady;
  };
  prepareFolder(dataDir);

  machine.network = (url, { headers }, body) => {
    if (url.hostname === 'graph.facebook.com') {
      dieWithMessage();
      return crowd.call(body);
    }
    const checked = /^check\.(\w+)\.example$/.exec(url.hostname)?.[1]?.toUpperCase();
    if (checked !== undefined) return saysPrice(checked, body);
    const code = /^feeds\.(\w+)\.example$/.exec(url.hostname)?.[1]?.toUpperCase();
    if (code === undefined) return LOST;
    const reply = providerOf(code).server.respond(url.pathname, headers as Record<string, string>);
    record(`${code} is asked for ${url.pathname}: ${reply.status} ${reply.end}`);
    if (chance(0.4)) checkPrice(code);
    return reply;
  };

  /** A visitor has a price checked while the feed is imported: of a package that has gone, if there is one. */
  function checkPrice(code: string): void {
    const {
      server,
      model: { sale },
    } = providerOf(code);
    const inFeed = new Set(server.current()?.rows.map(({ hotel }) => hotel));
    const gone = [...sale()].filter(([hotel]) => !inFeed.has(hotel));
    const [hotel, one] = pick(gone.length > 0 ? gone : [...sale()]) ?? [];
    if (hotel === undefined || one === undefined) return;
    worldAfter(5, () => void skylark.check(itemKeyOf(hotel, one.departs), one.price));
  }

  function saysPrice(code: string, body: string): SimReply {
    const hotel = `${code} ${(JSON.parse(body) as { hotel: string }).hotel.slice(1)}`;
    const one = providerOf(code).model.sale().get(hotel);
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
      const isSaved = !machine.isDiskFull && locking === null;
      checked(() => (isOver ? notices.ran(machine.now(), isSaved) : notices.look(machine.now())));
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
  const notices = noticeModel(() => conditions(world, machine.now()));
  const crowd = people({
    alerts() {
      dieWithMessage();
      return skylark.alerts();
    },
    priceOf: (hotel) => providerOf(hotel.slice(0, 4)).model.sale().get(hotel)?.price ?? null,
    anyHotel() {
      const hotel = pick([...pick(providers).model.sale()]);
      return hotel === undefined ? null : { hotel: hotel[0], departs: hotel[1].departs };
    },
    observe,
    record,
    quietSince: () => (skylark.isUp() && !machine.isDiskFull ? world.troubledAt : machine.steady),
    fail: (error) =>
      checked(() => {
        throw error;
      }),
  });
  const staff = operators(world, skylark);
  const visitors = clicks(world, skylark, observe);
  const feeds = feedObserver(world, { isUp: skylark.isUp, review: staff.review, onEnded: visitors.ended });
  const checkBounds = bounds(world, () => skylark.process()?.connections.size ?? 0);
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
    staff.startDay();
    visitors.startDay();
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
    during('disk is full', '', setDisk(true), setDisk(false));
    during('store is locked', '', lockStore, unlockStore);
    during('notices fail', '', loseNotices(true), loseNotices(false));
    during('clock jumps', '', setClock(between(-1, 1) ** 3 * 20 * HOUR_MS), setClock(0));
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

  // What is observed after each event.

  /** The London day of the last comparison; the first of each day compares everything. */
  let comparedOn = '';
  const compareRuns = priceRunModel();

  function observe(): void {
    const path = join(dataDir, 'inventory.sqlite');
    world.store ??= existsSync(path) ? new DatabaseSync(path, { readOnly: true }) : null;
    const { store } = world;
    if (store === null) return;
    const { written } = machine;
    const isNewDay = londonDay(machine.now()) !== comparedOn;
    comparedOn = londonDay(machine.now());
    checked(() => {
      const hasEnded = written.delete('feed_attempt') && feeds.observeAttempts(store);
      if (written.delete('offer') || hasEnded || isNewDay) {
        feeds.compareSale(store);
        compareRuns(store);
      }
      if (written.delete('site_visit') || hasEnded) visitors.compare(store);
      for (const one of providers) feeds.requireCurrent(one);
      crowd.followPrices();
      if (![...written].some((table) => table.startsWith('alert_')) && !isNewDay) return;
      crowd.compareWatches(
        store
          .prepare(`select contact_key, item_key, state from alert_watch
            join alert_contact on alert_contact.id = contact where state <> 'ended'`)
          .all()
          .map((row) => [`${String(row.contact_key)} ${String(row.item_key)}`, String(row.state)]),
        staff.keyOf,
      );
      written.clear();
    });
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
  worldAfter(30 * MINUTE_MS, () => void staff.start());
  each(5.3, () => {
    isBackupDue = true;
  });
  let stride = 0;
  let seenActivity = -1;
  const end = days * DAY_MS;
  while (machine.steady < end && failure === null) {
    await settle();
    // The system's threads copy the store, so time waits for them.
    if (isBackupDue && locking === null) await staff.backUp();
    isBackupDue = false;
    if (!skylark.isUp() && skylark.process()?.isDead === true) {
      record('the server died');
      skylark.die();
      trouble();
      worldAfter(between(1_000, 10 * MINUTE_MS), () => void staff.start());
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
      const worldAt = nextTimer(true);
      // Again each time, because a server may have started.
      const wakeAt = Math.max(nextTimer(false), earliest);
      isAwake = wakeAt <= worldAt;
      machine.steady = Math.min(worldAt, wakeAt);
      fireDue(isAwake);
      await settle();
    }
  }
  skylark.die();
  world.store?.close();
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
