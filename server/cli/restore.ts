import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { noteBackup } from '../backup/backup-notes.ts';
import { checksumPath } from '../backup/checksum-file.ts';
import { backupAt } from '../backup/old-backups.ts';
import { restoreStore, tryRestore } from '../backup/restore-store.ts';
import { readSettings } from '../settings.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { EmbeddedAddress } from '../storage/store-address.ts';
import { byteProgress } from './byte-progress.ts';
import { fail } from './command-output.ts';

const USAGE = `npm run restore -- <file>
  replaces the store of DATA_DIR with a backup; stop the server first
npm run restore -- --try <file | folder>
  restores a backup, or a folder's newest, into a temporary folder, and replaces nothing`;
const POSTGRES = 'DATABASE_URL is set. Restore a PostgreSQL with pg_restore (docs/operations-reference.md).';

const words = process.argv.slice(2);
const isTrial = words.includes('--try');
const [file, ...more] = words.filter((word) => word !== '--try');
const read = readSettings(process.env);
if (file === undefined || file.startsWith('--') || more.length > 0) fail(USAGE);
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else if (isTrial) await attempt(read.settings.config.store, file);
else await run(read.settings.config.store, read.settings.alerts, file);

async function attempt(store: EmbeddedAddress, path: string): Promise<void> {
  const backup = backupAt(path);
  const progress = byteProgress('Restore', 'Checking the copy');
  const result =
    backup === null
      ? ({ kind: 'refused', message: `${path} has no backup.` } as const)
      : await tryRestore(backup, progress.update);
  progress.stop();
  if (result.kind === 'refused') {
    noteBackup(store, result.message, Date.now());
    return fail(result.message);
  }
  console.log(`${backup} can be restored: ${result.offers} packages.`);
}

async function run(store: EmbeddedAddress, alerts: AlertsConfig, from: string): Promise<void> {
  const { dataDir } = store;
  const progress = byteProgress('Restore', 'Checking the copy');
  const result = await restoreStore(from, dataDir, progress.update);
  progress.stop();
  if (result.kind === 'refused') return fail(result.message);
  console.log(`The backup has been restored to ${dataDir}: ${result.offers} packages.`);
  if (!result.isCompared) {
    console.log(
      `There is no ${checksumPath(from)}, so only the backup's structure was checked, not its bytes.`,
    );
  }
  if (result.hasReplaced) console.log('The previous store has been deleted.');
  using database = openDatabaseForReading(store);
  const key = alertsKeyState(database, alerts.secret, store);
  if (key === 'missing' || key === 'another') {
    fail(
      `Its price alerts need ${key === 'missing' ? 'a key that is missing here' : 'another key'}. Put the alerts.key of the backed-up store into ${dataDir}, or set ALERTS_KEY. Until then the server will not start.`,
    );
  }
}
