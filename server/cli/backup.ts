import { dirname } from 'node:path';
import { noteBackup } from '../backup/backup-notes.ts';
import { backupStore } from '../backup/backup-store.ts';
import { oldBackups, removeBackups } from '../backup/old-backups.ts';
import { callersPath } from '../lib/callers-path.ts';
import { commandLine, installedUsage, isConfirmed } from '../lib/command-line.ts';
import { readSettings } from '../settings.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, printStore } from './command-store.ts';

const USAGE = `npm run backup -- <file | folder> [--keep <n> [--yes]]
  backs up the store to one file, PostgreSQL with pg_dump; the server may be running
  --keep <n>   then asks whether to remove all but the newest n backups of the folder; --yes answers`;

const { options, words } = commandLine(USAGE, { options: { keep: null, yes: false }, maxWords: 1 });
const [target] = words;
const keep = options.keep === null ? null : Number(options.keep);
loadInstalledSettings();
const read = readSettings(process.env);
if (target === undefined || (keep !== null && !(Number.isInteger(keep) && keep > 0)))
  fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else await run(read.settings.config.store, target);

async function run(store: StoreAddress, to: string): Promise<void> {
  printStore(store);
  const now = Date.now();
  const result = await backupStore(store, callersPath(to), now);
  await noteBackup(store, result.kind === 'refused' ? result.message : null, now);
  if (result.kind === 'refused') return fail(result.message);
  const { file, bytes, checked } = result;
  const content = checked === null ? '' : `, ${checked.offers} packages, checked`;
  console.log(`${file}: ${(bytes / 1e6).toFixed(1)} MB${content}.`);
  console.log(
    "It contains no keys. Also keep DATA_DIR's alerts.key (or your ALERTS_KEY) in a different place: without it the watches' phone numbers are lost; with both, anyone can read them.",
  );
  const old = keep === null ? [] : oldBackups(dirname(file), keep);
  if (old.length === 0) return;
  const question = `This removes ${old.length} older backups, which --keep ${keep} leaves out.`;
  if (!(await isConfirmed(question, options.yes))) return fail('The older backups are still there.');
  removeBackups(old);
  console.log(`${old.length} older backups have been removed.`);
}
