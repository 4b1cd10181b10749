import { dirname } from 'node:path';
import { noteBackup } from '../backup/backup-notes.ts';
import { backupStore } from '../backup/backup-store.ts';
import { checksumPath } from '../backup/checksum-file.ts';
import { oldBackups, removeBackups } from '../backup/old-backups.ts';
import { callersPath } from '../lib/callers-path.ts';
import { commandLine, installedUsage, isConfirmed } from '../lib/command-line.ts';
import { readSettings } from '../settings.ts';
import type { EmbeddedAddress } from '../storage/store-address.ts';
import { byteProgress } from './byte-progress.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, printStore } from './command-store.ts';

const USAGE = `npm run backup -- <file | folder> [--keep <n> [--yes]]
  backs up the store in DATA_DIR to one file; the server may be running
  --keep <n>   then asks whether to remove all but the newest n backups of the folder; --yes answers`;
const POSTGRES = 'DATABASE_URL is set. Back up PostgreSQL with pg_dump (docs/operations-reference.md).';

const { options, words } = commandLine(USAGE, { options: { keep: null, yes: false }, maxWords: 1 });
const [target] = words;
const keep = options.keep === null ? null : Number(options.keep);
loadInstalledSettings();
const read = readSettings(process.env);
if (target === undefined || (keep !== null && !(Number.isInteger(keep) && keep > 0)))
  fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else await run(read.settings.config.store, target);

async function run(store: EmbeddedAddress, to: string): Promise<void> {
  printStore(store);
  const now = Date.now();
  const progress = byteProgress('Backup', 'Checking the copy');
  const result = await backupStore(store.dataDir, callersPath(to), now, progress.update);
  progress.stop();
  await noteBackup(store, result.kind === 'refused' ? result.message : null, now);
  if (result.kind === 'refused') return fail(result.message);
  console.log(`${result.file}: ${(result.bytes / 1e6).toFixed(1)} MB, ${result.offers} packages, checked.`);
  console.log(`Keep ${checksumPath(result.file)} next to it: a restore checks the backup against it.`);
  console.log(
    `It contains no keys. Also keep ${store.dataDir}/alerts.key (or your ALERTS_KEY) in a different place: without it the watches' phone numbers are lost; with both, anyone can read them.`,
  );
  const old = keep === null ? [] : oldBackups(dirname(result.file), keep);
  if (old.length === 0) return;
  const question = `This removes ${old.length} older backups, which --keep ${keep} leaves out.`;
  if (!(await isConfirmed(question, options.yes))) return fail('The older backups are still there.');
  removeBackups(old);
  console.log(`${old.length} older backups have been removed.`);
}
