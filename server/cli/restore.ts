import { existsSync } from 'node:fs';
import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { noteBackup } from '../backup/backup-notes.ts';
import { checksumPath } from '../backup/checksum-file.ts';
import { backupAt } from '../backup/old-backups.ts';
import { restoreStore, tryRestore } from '../backup/restore-store.ts';
import { callersPath } from '../lib/callers-path.ts';
import { commandLine, installedUsage, isConfirmed } from '../lib/command-line.ts';
import { readSettings } from '../settings.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { EmbeddedAddress } from '../storage/store-address.ts';
import { byteProgress } from './byte-progress.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, printStore } from './command-store.ts';

const USAGE = `npm run restore -- <file> [--yes]
  replaces the store of DATA_DIR with a backup; stop the server first
npm run restore -- --try <file | folder>
  restores a backup, or a folder's newest, into a temporary folder, and replaces nothing`;
const POSTGRES = 'DATABASE_URL is set. Restore a PostgreSQL with pg_restore (docs/operations-reference.md).';

const { options, words } = commandLine(USAGE, { options: { try: false, yes: false }, maxWords: 1 });
const [file] = words;
loadInstalledSettings();
const read = readSettings(process.env);
if (file === undefined) fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else if (options.try) await attempt(read.settings.config.store, callersPath(file));
else await run(read.settings.config.store, read.settings.alerts, callersPath(file));

async function attempt(store: EmbeddedAddress, path: string): Promise<void> {
  const backup = backupAt(path);
  const progress = byteProgress('Restore', 'Checking the copy');
  const result =
    backup === null
      ? ({ kind: 'refused', message: `${path} has no backup.` } as const)
      : await tryRestore(backup, progress.update);
  progress.stop();
  if (result.kind === 'refused') {
    await noteBackup(store, result.message, Date.now());
    return fail(result.message);
  }
  console.log(`${backup} can be restored: ${result.offers} packages.`);
}

async function run(store: EmbeddedAddress, alerts: AlertsConfig, from: string): Promise<void> {
  const { dataDir } = store;
  printStore(store);
  const path = databasePath(dataDir);
  const question = `This replaces the store ${path} with ${from}.`;
  if (existsSync(path) && !(await isConfirmed(question, options.yes))) {
    return fail('The store is unchanged.');
  }
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
  await using database = openDatabaseForReading(store);
  const key = await alertsKeyState(database, alerts.secret, store);
  if (key === 'missing' || key === 'another') {
    fail(
      `Its price alerts need ${key === 'missing' ? 'a key that is missing here' : 'another key'}. Put the alerts.key of the backed-up store into ${dataDir}, or set ALERTS_KEY. Until then the server will not start.`,
    );
  }
}
