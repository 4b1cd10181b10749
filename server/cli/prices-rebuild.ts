import { fromDayNumber } from '../../domain/calendar-date.ts';
import { firstDayOfMonth } from '../../domain/month.ts';
import { parseConfig } from '../config.ts';
import { rebuildPriceBlocks } from '../inventory/tables/rebuild-price-blocks.ts';
import { errorMessage } from '../lib/error-message.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run prices:rebuild: rewrites the price blocks of each month in which they differ from the packages, while
// searches and imports continue. Each month is one transaction, so the command can be stopped and run again.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else run(parsed.config.store);

function run(store: StoreAddress): void {
  runAsOwner(store);
  let wrong = 0;
  try {
    using database = openDatabase(store);
    rebuildPriceBlocks(
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
      `The prices by day cannot be rebuilt: ${errorMessage(error)}. The months listed are done. Check the store with npm run doctor, then run this again.`,
    );
  }
}
