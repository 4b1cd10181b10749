import { parseConfig } from '../config.ts';
import { inventoryKind } from '../feed/write/store-notes.ts';
import { commandLine, isConfirmed } from '../lib/command-line.ts';
import { clearSample } from '../sample/clear-sample.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run sample:clear -- [--yes]
  removes the sample inventory, so that feeds can be imported`;

const { options } = commandLine(USAGE, { options: { yes: false } });
loadInstalledSettings();
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else if (await requireStore(parsed.config.store)) await run(parsed.config.store);

async function run(store: StoreAddress): Promise<void> {
  await using database = await openDatabase(store);
  const question = 'This removes all packages of the sample inventory, with their price history.';
  if ((await inventoryKind(database)) !== 'sample')
    console.log('There is no sample inventory in this store.');
  else if (!(await isConfirmed(question, options.yes))) fail('The store is unchanged.');
  else if (await clearSample(database)) {
    console.log(
      'The sample inventory has been removed. Start the server with SAMPLE_INVENTORY=off; otherwise it loads the sample again.',
    );
  }
}
