import { parseConfig } from '../config.ts';
import { commandLine } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { moveStore } from '../storage/citus/move-store.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { PostgresAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run distribute
  distributes a PostgreSQL store's packages with Citus, while searches continue`;

commandLine(USAGE);
loadInstalledSettings();
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else if (parsed.config.store.kind === 'embedded') {
  fail('There is nothing to distribute: the store is embedded. Set DATABASE_URL to a PostgreSQL with Citus.');
} else if (await requireStore(parsed.config.store)) await run(parsed.config.store);

async function run(store: PostgresAddress): Promise<void> {
  try {
    await (await openDatabase(store)).close();
    const remedy = await moveStore(store.url, (line) => console.log(line));
    if (remedy !== null) fail(remedy);
  } catch (error) {
    fail(
      `The tables cannot be distributed: ${errorMessage(error)}. Check the store with ${installedCommand('doctor')}, then run this again.`,
    );
  }
}
