import { parseConfig } from '../config.ts';
import { clearSample } from '../feed/write/clear-sample.ts';
import { openDatabase } from '../storage/open/database.ts';

// Empties the store of the sample inventory, so that feeds can fill it: npm run sample:clear
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') {
  console.error(parsed.message);
  process.exit(1);
}
const database = openDatabase(parsed.config.store);
const cleared = clearSample(database);
database.close();
console.log(
  cleared
    ? 'The sample inventory is gone. Start the server with SAMPLE_INVENTORY=off, or it makes it anew.'
    : 'There is no sample inventory in this store.',
);
