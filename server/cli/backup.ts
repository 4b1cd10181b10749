import './closed-output.ts';
import { backupStore } from '../backup/backup-store.ts';
import { checksumPath } from '../backup/checksum-file.ts';
import { readSettings } from '../settings.ts';
import { byteProgress } from './byte-progress.ts';

const USAGE =
  'npm run backup -- <file | folder>   writes the store of DATA_DIR into one file; the server may be running';
const POSTGRES = 'DATABASE_URL is set. Back up a PostgreSQL with pg_dump (docs/operations-reference.md).';

const [target, ...more] = process.argv.slice(2);
const read = readSettings(process.env);
if (target === undefined || more.length > 0) fail(USAGE);
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else await run(read.settings.config.store.dataDir, target);

async function run(dataDir: string, to: string): Promise<void> {
  const progress = byteProgress('Backup', 'Checking the copy');
  const result = await backupStore(dataDir, to, Date.now(), progress.update);
  progress.stop();
  if (result.kind === 'refused') return fail(result.message);
  console.log(`${result.file}: ${(result.bytes / 1e6).toFixed(1)} MB, ${result.offers} packages, checked.`);
  console.log(`Keep ${checksumPath(result.file)} next to it: a restore checks the backup against it.`);
  console.log(
    `It contains no keys. Also keep ${dataDir}/alerts.key (or your ALERTS_KEY) in a different place: without it the watches' phone numbers are lost; with both, anyone can read them.`,
  );
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
