import { fromDayNumber } from '../../domain/calendar-date.ts';
import { firstDayOfMonth } from '../../domain/month.ts';
import { parseConfig } from '../config.ts';
import { rebuildPriceBlocks } from '../inventory/tables/rebuild-price-blocks.ts';
import { commandLine } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run prices:rebuild
  recomputes the prices by day of each month in which they differ from the packages, while searches and imports
  continue; it can be stopped and run again`;

commandLine(USAGE);
loadInstalledSettings();
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else await run(parsed.config.store);

async function run(store: StoreAddress): Promise<void> {
  if (!(await requireStore(store))) return;
  let wrong = 0;
  try {
    await using database = await openDatabase(store);
    await rebuildPriceBlocks(
      database,
      (month, found) => {
        wrong += found.wrong;
        const what = found.wrong === 0 ? 'right' : `${found.wrong} of ${found.blocks} were wrong, rebuilt`;
        console.log(`${fromDayNumber(firstDayOfMonth(month)).slice(0, 7)}: ${what}`);
      },
      () => console.log('The index of the prices by day was wrong and has been rebuilt.'),
    );
    console.log(
      wrong === 0
        ? 'All prices by day are right.'
        : `${wrong} prices by day were wrong and have been rebuilt.`,
    );
  } catch (error) {
    fail(
      `The prices by day cannot be rebuilt: ${errorMessage(error)}. The months listed are done. Check the store with ${installedCommand('doctor')}, then run this again.`,
    );
  }
}
