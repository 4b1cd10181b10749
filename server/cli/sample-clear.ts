import './command-output.ts';
import { parseConfig } from '../config.ts';
import { clearSample } from '../sample/clear-sample.ts';
import { openDatabase } from '../storage/open/database.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run sample:clear: removes the sample inventory, so that feeds can be imported.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') {
  console.error(parsed.message);
  process.exit(1);
}
const { store } = parsed.config;
runAsOwner(store);
const database = openDatabase(store);
const cleared = clearSample(database);
database.close();
console.log(
  cleared
    ? 'The sample inventory has been removed. Start the server with SAMPLE_INVENTORY=off; otherwise it loads the sample again.'
    : 'There is no sample inventory in this store.',
);
