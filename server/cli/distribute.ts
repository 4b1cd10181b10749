import './closed-output.ts';
import { parseConfig } from '../config.ts';
import { deadlineIn } from '../lib/deadline.ts';
import { errorMessage } from '../lib/error-message.ts';
import { isCitus, withCoordinator } from '../storage/citus/coordinator.ts';
import { distribute, removeLocalRows } from '../storage/citus/distribute.ts';
import { CITUS_SETTINGS } from '../storage/citus/settings.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { PostgresAddress } from '../storage/store-address.ts';

/** Moving a grown store takes as long as copying it; imports wait. In milliseconds. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

const SETTINGS = {
  ...CITUS_SETTINGS,
  lock_timeout: String(MAX_WAIT_MS),
  idle_in_transaction_session_timeout: String(MAX_WAIT_MS),
};

// npm run distribute: moves the packages of a PostgreSQL that has got Citus to its workers, with searches going on.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') refuse(parsed.message);
else if (parsed.config.store.kind === 'embedded') {
  refuse(
    'There is nothing to distribute: the store is embedded. Set DATABASE_URL to the coordinator of Citus.',
  );
} else await run(parsed.config.store);

async function run(store: PostgresAddress): Promise<void> {
  try {
    openDatabase(store).close();
    await withCoordinator(store.url, SETTINGS, async (client) => {
      if (!(await isCitus(client))) {
        refuse(
          'The database of DATABASE_URL has no Citus. Install it on every node, and run "create extension citus" in this database on each, then citus_add_node for each worker.',
        );
        return;
      }
      const moved = await distribute(client, (table) => console.log(`Moving ${table} ...`));
      const left = await removeLocalRows(client, deadlineIn(MAX_WAIT_MS), (table) =>
        console.log(`Removing the moved rows of ${table} from the coordinator ...`),
      );
      if (left.length > 0) {
        refuse(
          `The coordinator still holds moved rows of ${left.join(', ')}, because other connections read them. Run this again when they have ended.`,
        );
      } else {
        console.log(
          moved.length === 0 ? 'Every table is distributed.' : `${moved.length} tables are distributed.`,
        );
      }
    });
  } catch (error) {
    refuse(
      `The tables cannot be distributed: ${errorMessage(error)}. npm run doctor checks the store; then run this again.`,
    );
  }
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
