import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inventoryWriter } from '../../server/ingest/inventory-writer.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { seeded } from '../fixtures/alerts/seeded.ts';
import { openSmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { makeStore, type StoreKind, type TestStore } from '../fixtures/test-stores.ts';
import type { CrashOrder, CrashReportLine } from './alerts-crash-child.ts';
import { CRASH_KEY, CRASH_KINDS, type CrashKind } from './crash-at.ts';

export interface CrashReport {
  points: number;
  /** At how many points the process was actually killed. */
  killed: number;
  /** Descriptions of errors. Empty if everything is correct. */
  wrong: string[];
  /** How long the slowest restart took until the process was ready, in milliseconds. */
  slowestRestart: number;
}

type Done = Extract<CrashReportLine, { kind: 'done' }>;

const CHILD = join(import.meta.dirname, 'alerts-crash-child.ts');
const NUMBERS = 6;
const A_MINUTE_MS = 60_000;

/** The most time that a restarted process may take to be ready. */
const READY_WITHIN_MS = 10_000;

/**
 * Kills an alerts process at seeded points of sign-ups, replies, a price write, claims, calls and statuses.
 * Restarts it, lets it finish, and reports what was acknowledged but lost, or sent twice.
 */
export async function runCrashes(
  points: number,
  seed: number,
  store: StoreKind = 'embedded',
): Promise<CrashReport> {
  const random = seeded(seed);
  const template = await templateStore(store);
  const report: CrashReport = { points, killed: 0, wrong: [], slowestRestart: 0 };
  const clean = await runPoint(template, null);
  report.wrong.push(...clean.wrong);
  const most = clean.done.counts;
  for (let run = 0; run < points; run += 1) {
    const kind = CRASH_KINDS[Math.floor(random() * CRASH_KINDS.length)] ?? 'after commit';
    const at = 1 + Math.floor(random() * most[kind]);
    const { isKilled, wrong, restart } = await runPoint(template, { kind, at });
    if (isKilled) report.killed += 1;
    report.wrong.push(...wrong.map((words) => `${kind} ${at}: ${words}`));
    report.slowestRestart = Math.max(report.slowestRestart, restart);
  }
  template.remove();
  return report;
}

/** A store with the small inventory, from which every run starts. */
async function templateStore(store: StoreKind) {
  const alerts = await openSmallAlerts({ variables: { ALERTS_KEY: CRASH_KEY } });
  const folder = temporaryFolder();
  const itemKey = alerts.itemKeys[0] ?? '';
  const price = await alerts.priceOf(itemKey);
  await alerts.parts.store.database.exec('pragma wal_checkpoint(truncate)');
  cpSync(join(alerts.dataDir, 'inventory.sqlite'), join(folder.path, 'inventory.sqlite'));
  await alerts.close();
  return { store, path: folder.path, itemKey, price: Math.floor(price * 0.8), remove: () => folder.remove() };
}

/** A separate copy of the store for one run. */
async function copyOf({ store, path }: Awaited<ReturnType<typeof templateStore>>): Promise<TestStore> {
  const copy = await makeStore(store);
  if (copy.address.kind === 'embedded') {
    cpSync(path, copy.address.dataDir, { recursive: true });
    return copy;
  }
  const writer = inventoryWriter(await openDatabase(copy.address));
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(smallOffers());
  await writer.close();
  return copy;
}

async function runPoint(
  template: Awaited<ReturnType<typeof templateStore>>,
  point: { kind: CrashKind; at: number } | null,
) {
  const copy = await copyOf(template);
  const simulator = await startMetaSimulator({ seed: 1 });
  const order: CrashOrder = {
    store: copy.address,
    provider: simulator.settings.baseUrl,
    itemKey: template.itemKey,
    price: template.price,
    numbers: NUMBERS,
    now: NOW,
    point,
  };
  const first = await runChild(order);
  // At this time, the leases of the first process have expired.
  const second = await runChild({ ...order, now: NOW + A_MINUTE_MS, point: null });
  await simulator.close();
  await copy.remove();
  if (second.done === null)
    throw new Error(`The restarted process did not finish, ready ${second.readyAfter}: ${second.errors}`);
  return {
    done: first.done ?? second.done,
    isKilled: first.done === null,
    restart: second.readyAfter,
    wrong: errorsOf(first.words, second.done, simulator, template.price).map(
      (words) => `${words} ${first.errors}`,
    ),
  };
}

function errorsOf(
  words: readonly CrashReportLine[],
  done: Done,
  simulator: MetaSimulator,
  price: number,
): string[] {
  const wrong: string[] = [];
  const acknowledged = words.filter((word) => word.kind === 'ack');
  for (const { of, number } of acknowledged) {
    const watch = done.watches.filter((held) => held.number === number);
    if (of !== 'price' && (watch.length !== 1 || watch[0]?.state !== 'active'))
      wrong.push(`${of} of ${number} was lost: ${JSON.stringify(watch)}`);
  }
  if (done.price !== price) wrong.push('the price was lost');
  const seen = new Set<string>();
  for (const { number, template } of simulator.accepted) {
    if (seen.has(`${number} ${template}`) && template !== 'text')
      wrong.push(`${template} was sent twice to ${number.slice(-3)}`);
    seen.add(`${number} ${template}`);
  }
  for (let number = 0; number < NUMBERS; number += 1) {
    const drops = done.messages.filter((message) => message.number === number && message.kind === 'drop');
    const isAnnounced =
      drops.length === 1 && ['accepted', 'delivered', 'unknown'].includes(drops[0]?.state ?? '');
    if (!isAnnounced) wrong.push(`the drop of ${number} is ${JSON.stringify(drops)}`);
  }
  return wrong;
}

async function runChild(order: CrashOrder) {
  const started = performance.now();
  const child = spawn(process.execPath, [CHILD, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const words: CrashReportLine[] = [];
  let errors = '';
  let readyAfter = Number.POSITIVE_INFINITY;
  const late = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  child.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const word = JSON.parse(line) as CrashReportLine;
    words.push(word);
    if (word.kind !== 'ready') continue;
    clearTimeout(late);
    readyAfter = performance.now() - started;
  }
  clearTimeout(late);
  return { words, done: words.find((word) => word.kind === 'done') ?? null, readyAfter, errors };
}
