import './closed-output.ts';
import { parseConfig } from '../config.ts';
import { distribute, isCitus } from '../storage/distribute.ts';
import { openDatabase } from '../storage/open/database.ts';

/** Moving a grown store takes as long as copying it; imports wait. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1_000;

// npm run distribute: moves the packages of a PostgreSQL that has got Citus to its workers, with searches going on.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') refuse(parsed.message);
else if (parsed.config.store.kind === 'embedded') {
  refuse(
    'There is nothing to distribute: the store is embedded. Set DATABASE_URL to the coordinator of Citus.',
  );
} else {
  const database = openDatabase(parsed.config.store, { lockTimeout: PATIENCE, idleTimeout: PATIENCE });
  if (isCitus(database)) {
    const moved = distribute(database, (table) => console.log(`Moving ${table} ...`));
    console.log(
      moved.length === 0 ? 'Every table is distributed.' : `${moved.length} tables are distributed.`,
    );
  } else {
    refuse(
      'The database of DATABASE_URL has no Citus. Install it on every node, and run "create extension citus" in this database on each, then citus_add_node for each worker.',
    );
  }
  database.close();
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
