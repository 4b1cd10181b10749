import { join } from 'node:path';
import { feedCommand } from '../../server/feed/feed-command.ts';
import { readProviders } from '../../server/feed/provider-settings.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

const LISTS = join(import.meta.dirname, '../../assets');

// The feed command as an operator runs it, saying at its end what memory it took.
const dataDir = process.env.DATA_DIR ?? '';
const providers = readProviders(join(dataDir, 'providers.json'));
if (providers.kind === 'refused') throw new Error(providers.message);

process.exitCode = await feedCommand(['import', process.argv[2] ?? '', '--provider', 'MADE'], {
  store: embeddedStore(dataDir),
  dataDir,
  lists: { locations: LISTS, airports: LISTS },
  workingDir: dataDir,
  hosts: [],
  providers: providers.file,
  input: process.stdin,
  out: console.log,
  progress: process.stderr,
  now: Date.now,
});
console.log(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
const { userCPUTime, systemCPUTime } = process.resourceUsage();
console.log(`CPU ${((userCPUTime + systemCPUTime) / 1e6).toFixed(2)} s`);
