import './command-output.ts';
import { join } from 'node:path';
import { parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { EXIT, feedCommand } from '../feed/feed-command.ts';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run feed -- --help: imports providers' feeds into the configured store.
const config = parseConfig(process.env);
const feeds = readFeedSettings(process.env);
if (config.kind === 'refused') refuse(config.message);
else if (feeds.kind === 'refused') refuse(feeds.message);
else {
  runAsOwner(embeddedStore(feeds.settings.dataDir));
  // Sorts large feeds in files next to the store, because /tmp may be small.
  process.env.SQLITE_TMPDIR ??= feeds.settings.dataDir;
  const shipped = join(import.meta.dirname, '../../assets');
  const { locations, airports } = config.config.brand.lists;
  process.exitCode = await feedCommand(process.argv.slice(2), {
    ...feeds.settings,
    store: config.config.store,
    lists: { locations: locations ?? shipped, airports: airports ?? shipped },
    // npm changes the working directory, but relative paths start from the caller's.
    workingDir: process.env.INIT_CWD ?? process.cwd(),
    input: process.stdin,
    out: (line) => console.log(line),
    progress: process.stderr,
    now: alertClock,
  });
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = EXIT.refused;
}
