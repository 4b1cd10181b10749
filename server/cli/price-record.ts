import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../config.ts';
import { commandLine, installedUsage } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { RecordFault } from '../price-record/record-file.ts';
import { priceRecordReader } from '../price-record/record-store.ts';
import { formatScores } from '../price-record/scores.ts';
import { SCORES_FILE, verifyRecord } from '../price-record/verify-record.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run price:record                    the latest root, and the scores
npm run price:record -- verify FOLDER   recomputes roots and scores from the downloaded files alone`;

const [command, folder] = commandLine(USAGE, { maxWords: 2 }).words;
if (command === 'verify' && folder !== undefined) verify(folder);
else if (command !== undefined) fail(installedUsage(USAGE));
else {
  loadInstalledSettings();
  const parsed = parseConfig(process.env);
  if (parsed.kind === 'refused') fail(parsed.message);
  else await print(parsed.config.store);
}

function verify(path: string): void {
  try {
    const names = readdirSync(path).filter((name) => name.endsWith('.csv'));
    const files = new Map(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
    const { days, root, scores } = verifyRecord(files);
    if (scores === null)
      console.log(`The folder begins after the scored days, so ${SCORES_FILE} is not checked.`);
    else console.log(formatScores(scores));
    console.log(`All ${days} days agree. Root: ${root}`);
    console.log('Compare it with a root that you got earlier, from the page or an alert.');
  } catch (error) {
    fail(error instanceof RecordFault ? error.message : `The folder cannot be read: ${errorMessage(error)}.`);
  }
}

async function print(store: StoreAddress): Promise<void> {
  if (!(await requireStore(store))) return;
  try {
    await using database = openDatabaseForReading(store);
    const { roots, scores, isAdviceOff } = await priceRecordReader(database).state();
    const latest = roots.at(-1);
    if (latest === undefined) return console.log('No day is published yet.');
    console.table(scores.map(({ name, ...score }) => ({ score: name, ...score })));
    console.log(`Advice is ${isAdviceOff ? 'off: following it has not beaten booking at once' : 'on'}.`);
    console.log(`${roots.length} days are published. Root of ${latest.day}: ${latest.root}`);
  } catch (error) {
    fail(`The store cannot be used: ${errorMessage(error)}. Check it with ${installedCommand('doctor')}.`);
  }
}
