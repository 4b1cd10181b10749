import { join } from 'node:path';
import { Writable } from 'node:stream';
import { feedCommand } from '../../server/feed/feed-command.ts';
import { readProviders } from '../../server/feed/map/holiday-providers.ts';
import { embeddedStore, type StoreAddress } from '../../server/storage/store-address.ts';
import { memoryOf } from '../support/process-memory.ts';

const LISTS = join(import.meta.dirname, '../../assets');

// run-command.ts FEED [MAPPING]: imports into the configured store, and prints CPU time and peak memory.
const dataDir = process.env.DATA_DIR ?? '';
const url = process.env.DATABASE_URL;
const store: StoreAddress =
  url === undefined ? embeddedStore(dataDir) : { kind: 'postgresql', url, readUrls: [] };
const [feed = '', mapping] = process.argv.slice(2);
const providers = readProviders(join(dataDir, 'providers.json'));
if (providers.kind === 'refused') throw new Error(providers.message);

const cpuSeconds = () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1e6;
};

/** The CPU seconds used when each phase began. */
const begun = new Map<string, number>();
const progress = new Writable({
  write(chunk, _encoding, done) {
    const [phase = ''] = String(chunk).split(/[ ,\n]/);
    if (!begun.has(phase)) begun.set(phase, cpuSeconds());
    done();
  },
});

// The made-up market puts hotels outside their countries, for which a first feed is held.
const words = ['import', feed, '--provider', 'MADE', '--accept'];
process.exitCode = await feedCommand(mapping === undefined ? words : [...words, '--mapping', mapping], {
  store,
  dataDir,
  lists: { locations: LISTS, airports: LISTS },
  workingDir: dataDir,
  hosts: [],
  providers: providers.file,
  input: process.stdin,
  out: console.log,
  progress,
  now: Date.now,
});
const ended = cpuSeconds();
const comparing = begun.get('Comparing') ?? ended;
const writing = begun.get('Writing') ?? ended;
const stages = [comparing, writing - comparing, ended - writing].map((seconds) => seconds.toFixed(2));
// Not `resourceUsage().maxRSS`, which would include the parent process.
console.log(`peak ${Math.round(memoryOf(process.pid).peak / 2 ** 20)} MB`);
console.log(`CPU ${ended.toFixed(2)} s: ${stages.join(' + ')}`);
