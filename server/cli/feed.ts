import './command-output.ts';
import { join } from 'node:path';
import { conditionLines, FEED_CONDITIONS } from '../conditions/store-conditions.ts';
import { type Config, parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { EXIT } from '../feed/exit-codes.ts';
import { FEED_LINE } from '../feed/feed-arguments.ts';
import { FEED_HELP, feedCommand } from '../feed/feed-command.ts';
import { type FeedSettings, readFeedSettings } from '../feed/feed-settings.ts';
import { callersFolder } from '../lib/callers-path.ts';
import { commandLine } from '../lib/command-line.ts';
import { readNoticeSettings } from '../notices/notice-settings.ts';
import { readOtherNames } from '../page/brand-folder.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { loadInstalledSettings, printStore, requireStore, runAsOwner } from './command-store.ts';

const [command] = commandLine(FEED_HELP, FEED_LINE).words;
loadInstalledSettings();
const config = parseConfig(process.env);
const feeds = readFeedSettings(process.env);
if (config.kind === 'refused') refuse(config.message);
else if (feeds.kind === 'refused') refuse(feeds.message);
else await run(config.config, feeds.settings);

async function run({ store, brand: { lists, otherNames } }: Config, settings: FeedSettings): Promise<void> {
  runAsOwner(embeddedStore(settings.dataDir));
  // Only an import may create the store.
  if (command === 'import' || command === 'run') printStore(store);
  else if (command !== 'propose' && !(await requireStore(store))) return;
  // Sorts large feeds in files next to the store, because /tmp may be small.
  process.env.SQLITE_TMPDIR ??= settings.dataDir;
  const late = readNoticeSettings({ NOTICE_FEED_HOURS: process.env.NOTICE_FEED_HOURS }, null);
  if (late.kind === 'refused') return refuse(late.message);
  const { feedLateMs } = late.value;
  const providers = settings.providers.exists ? settings.providers.providers : null;
  const shipped = join(import.meta.dirname, '../../assets');
  process.exitCode = await feedCommand(process.argv.slice(2), {
    ...settings,
    store,
    lists: {
      locations: lists.locations ?? shipped,
      airports: lists.airports ?? shipped,
      otherNames: otherNames ?? readOtherNames(shipped) ?? {},
    },
    workingDir: callersFolder(),
    input: process.stdin,
    out: (line) => console.log(line),
    progress: process.stderr,
    now: alertClock,
    problems: (database) =>
      conditionLines(database, { now: alertClock(), providers, feedLateMs }, FEED_CONDITIONS),
  });
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = EXIT.refused;
}
