import { backupStore } from '../backup/backup-store.ts';
import { readSettings } from '../settings.ts';
import { byteProgress } from './byte-progress.ts';

const USAGE =
  'npm run backup -- <file | folder>   writes the store of DATA_DIR into one file, while the server runs';
const POSTGRES = 'DATABASE_URL is set: a PostgreSQL is backed up by its own pg_dump (docs/operations.md).';

const [target, ...more] = process.argv.slice(2);
const read = readSettings(process.env);
if (target === undefined || more.length > 0) fail(USAGE);
else if (read.kind === 'refused') fail(read.message);
else if (read.settings.config.store.kind === 'postgresql') fail(POSTGRES);
else await run(read.settings.config.store.dataDir, target);

async function run(dataDir: string, to: string): Promise<void> {
  const progress = byteProgress('Backup');
  const result = await backupStore(dataDir, to, Date.now(), progress.update);
  progress.stop();
  if (result.kind === 'refused') return fail(result.message);
  console.log(`${result.file}: ${(result.bytes / 1e6).toFixed(1)} MB, ${result.offers} packages, checked.`);
  console.log(
    `Keys are not in it. Keep ${dataDir}/alerts.key (or your ALERTS_KEY) too, and somewhere else: without it no watch finds its number again, and together they tell every number.`,
  );
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
