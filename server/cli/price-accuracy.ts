import { parseConfig } from '../config.ts';
import { wholeCatalogue } from '../inventory/catalogue.ts';
import { readReferenceTables } from '../inventory/tables/reference-tables.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import { priceAccuracy } from '../visits/price-accuracy.ts';

// npm run price:accuracy: how accurate each provider's displayed prices were, from the configured store.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') {
  console.error(parsed.message);
  process.exit(1);
}
const database = openDatabaseForReading(parsed.config.store);
console.table(priceAccuracy(database, wholeCatalogue(readReferenceTables(database))));
database.close();
