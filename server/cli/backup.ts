import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { noteBackup } from '../backup/backup-notes.ts';
import { backupStore } from '../backup/backup-store.ts';
import { checksumPath } from '../backup/checksum-file.ts';
import { removeOldBackups } from '../backup/old-backups.ts';
import { readSettings } from '../settings.ts';
import type { EmbeddedAddress } from '../storage/store-address.ts';
import { byteProgress } from './byte-progress.ts';
import { fail } from './command-output.ts';

const USAGE = `npm run backup -- <file | folder> [--keep <n>]
  backs up the store in DATA_DIR to one file; the server may be running
  --keep <n>   then removes all but the newest n backups of the folder`;
const POSTGRES = 'DATABASE_URL is set. Back up PostgreSQL with pg_dump (docs/operations-reference.md).';

const words = readWords();
const read = readSettings(process.env);
if (words === null) fail(USAGE);
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else await run(read.settings.config.store, words);

function readWords(): { target: string; keep: number | null } | null {
  try {
    const { values, positionals } = parseArgs({
      options: { keep: { type: 'string' } },
      allowPositionals: true,
    });
    const [target, ...more] = positionals;
    const keep = values.keep === undefined ? null : Number(values.keep);
    const isKeepRight = keep === null || (Number.isInteger(keep) && keep > 0);
    return target === undefined || more.length > 0 || !isKeepRight ? null : { target, keep };
  } catch {
    return null;
  }
}

async function run(
  store: EmbeddedAddress,
  { target, keep }: { target: string; keep: number | null },
): Promise<void> {
  const now = Date.now();
  const progress = byteProgress('Backup', 'Checking the copy');
  const result = await backupStore(store.dataDir, target, now, progress.update);
  progress.stop();
  noteBackup(store, result.kind === 'refused' ? result.message : null, now);
  if (result.kind === 'refused') return fail(result.message);
  console.log(`${result.file}: ${(result.bytes / 1e6).toFixed(1)} MB, ${result.offers} packages, checked.`);
  console.log(`Keep ${checksumPath(result.file)} next to it: a restore checks the backup against it.`);
  console.log(
    `It contains no keys. Also keep ${store.dataDir}/alerts.key (or your ALERTS_KEY) in a different place: without it the watches' phone numbers are lost; with both, anyone can read them.`,
  );
  const removed = keep === null ? 0 : removeOldBackups(dirname(result.file), keep);
  if (removed > 0) console.log(`${removed} older backups have been removed.`);
}
