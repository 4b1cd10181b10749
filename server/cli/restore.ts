import { existsSync } from 'node:fs';
import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { noteBackup } from '../backup/backup-notes.ts';
import { backupAt } from '../backup/old-backups.ts';
import { readDump, restoreStore, tryRestore } from '../backup/restore-store.ts';
import { callersPath } from '../lib/callers-path.ts';
import { commandLine, installedUsage, isConfirmed } from '../lib/command-line.ts';
import { readSettings } from '../settings.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { EmbeddedAddress, StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, printStore } from './command-store.ts';

const USAGE = `npm run restore -- <file> [--yes]
  replaces the store of DATA_DIR with a backup; stop the server first
npm run restore -- --try <file | folder>
  tests a backup, or a folder's newest, in a temporary folder, and replaces nothing`;
const POSTGRES = 'DATABASE_URL is set. Restore a PostgreSQL with pg_restore (docs/operations-reference.md).';

const { options, words } = commandLine(USAGE, { options: { try: false, yes: false }, maxWords: 1 });
const [file] = words;
loadInstalledSettings();
const read = readSettings(process.env);
if (file === undefined) fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else if (options.try) await attempt(read.settings.config.store, callersPath(file));
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else await run(read.settings.config.store, read.settings.alerts, callersPath(file));

async function attempt(store: StoreAddress, path: string): Promise<void> {
  const backup = backupAt(path);
  const result =
    backup === null
      ? ({ kind: 'refused', message: `${path} has no backup.` } as const)
      : await (store.kind === 'embedded' ? tryRestore(backup) : readDump(backup));
  if (result.kind === 'refused') {
    await noteBackup(store, result.message, Date.now());
    return fail(result.message);
  }
  console.log(`${backup} can be restored${result.kind === 'read' ? '' : `: ${result.offers} packages`}.`);
}

async function run(store: EmbeddedAddress, alerts: AlertsConfig, from: string): Promise<void> {
  const { dataDir } = store;
  printStore(store);
  const path = databasePath(dataDir);
  const question = `This replaces the store ${path} with ${from}.`;
  if (existsSync(path) && !(await isConfirmed(question, options.yes))) {
    return fail('The store is unchanged.');
  }
  const result = await restoreStore(from, dataDir);
  if (result.kind === 'refused') return fail(result.message);
  console.log(`The backup has been restored to ${dataDir}: ${result.offers} packages.`);
  if (result.hasReplaced) console.log('The previous store has been deleted.');
  await using database = openDatabaseForReading(store);
  const key = await alertsKeyState(database, alerts.secret, store);
  if (key === 'missing' || key === 'another') {
    fail(
      `Its price alerts need ${key === 'missing' ? 'a key that is missing here' : 'another key'}. Put the alerts.key of the backed-up store into ${dataDir}, or set ALERTS_KEY. Until then the server will not start.`,
    );
  }
}
