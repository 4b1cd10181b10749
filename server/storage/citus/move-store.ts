import { deadlineIn } from '../../lib/deadline.ts';
import { isCitus, withCoordinator } from './coordinator.ts';
import { distribute, removeLocalRows } from './distribute.ts';
import { CITUS_SETTINGS } from './settings.ts';

/** Moving a large store takes as long as copying it, and imports wait meanwhile. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

const SETTINGS = {
  ...CITUS_SETTINGS,
  lock_timeout: String(MAX_WAIT_MS),
  idle_in_transaction_session_timeout: String(MAX_WAIT_MS),
};

/**
 * Moves the packages of a PostgreSQL with Citus to its workers, while searches continue. `say` receives the
 * progress. Returns what the operator still has to do; null if nothing.
 */
export function moveStore(url: string, say: (line: string) => void): Promise<string | null> {
  return withCoordinator(url, SETTINGS, async (client) => {
    if (!(await isCitus(client))) {
      return 'The database of DATABASE_URL has no Citus. Install it on every node, and run "create extension citus" in this database on each, then citus_add_node for each worker.';
    }
    const moved = await distribute(client, (table) => say(`Moving ${table} ...`));
    const left = await removeLocalRows(client, deadlineIn(MAX_WAIT_MS), (table) =>
      say(`Removing the moved rows of ${table} from the coordinator ...`),
    );
    if (left.length > 0) {
      return `The coordinator still holds moved rows of ${left.join(', ')}, because other connections read them. Run this again when they have ended.`;
    }
    say(moved.length === 0 ? 'Every table is distributed.' : `${moved.length} tables are distributed.`);
    return null;
  });
}
