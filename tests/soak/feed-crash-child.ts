import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { Readable, Writable } from 'node:stream';
import { feedCommand } from '../../server/feed/feed-command.ts';
import { parseProviders } from '../../server/feed/map/holiday-providers.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

const LISTS = join(import.meta.dirname, '../../assets');

/** The order in the first argument, as JSON. */
export interface CrashOrder {
  dataDir: string;
  feed: string;
  now: number;
  /** The number of the database write at which the process is killed. Null: never. */
  killAt: number | null;
}

/** Printed as JSON when the child has finished. */
export interface CrashWord {
  exit: number;
  writes: number;
}

const order = JSON.parse(process.argv[2] ?? '') as CrashOrder;
let writes = 0;
const run = StatementSync.prototype.run;
StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
  writes += 1;
  if (writes === order.killAt) process.kill(process.pid, 'SIGKILL');
  return run.apply(this, values);
} as typeof run;

const providers = parseProviders(
  { providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] }] },
  'providers.json',
);
if (providers.kind === 'refused') throw new Error(providers.message);
const exit = await feedCommand(['import', order.feed, '--provider', 'SUNW'], {
  store: embeddedStore(order.dataDir),
  dataDir: order.dataDir,
  lists: { locations: LISTS, airports: LISTS },
  workingDir: order.dataDir,
  hosts: [],
  providers: providers.file,
  input: Readable.from([]),
  out: () => {},
  progress: new Writable({ write: (_chunk, _encoding, done) => done() }),
  now: () => order.now,
});
const word: CrashWord = { exit, writes };
process.stdout.write(JSON.stringify(word));
