import './closed-output.ts';
import { parseConfig } from '../config.ts';
import { errorMessage } from '../lib/error-message.ts';
import { distribute, isCitus, removeLocalRows } from '../storage/distribute.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** Moving a grown store takes as long as copying it; imports wait. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1_000;

// npm run distribute: moves the packages of a PostgreSQL that has got Citus to its workers, with searches going on.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') refuse(parsed.message);
else if (parsed.config.store.kind === 'embedded') {
  refuse(
    'There is nothing to distribute: the store is embedded. Set DATABASE_URL to the coordinator of Citus.',
  );
} else run(parsed.config.store);

function run(store: StoreAddress): void {
  try {
    const waiting = { lockTimeout: PATIENCE, idleTimeout: PATIENCE, endsWithClient: true };
    const database = openDatabase(store, waiting);
    try {
      if (isCitus(database)) distributeAll(database);
      else {
        refuse(
          'The database of DATABASE_URL has no Citus. Install it on every node, and run "create extension citus" in this database on each, then citus_add_node for each worker.',
        );
      }
    } finally {
      database.close();
    }
  } catch (error) {
    refuse(
      `The tables cannot be distributed: ${errorMessage(error)}. npm run doctor checks the store; then run this again.`,
    );
  }
}

function distributeAll(database: SqlDatabase): void {
  const moved = distribute(database, (table) => console.log(`Moving ${table} ...`));
  const left = removeLocalRows(database, PATIENCE, (table) =>
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
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
