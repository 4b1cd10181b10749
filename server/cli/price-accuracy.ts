import { existsSync } from 'node:fs';
import { parseConfig } from '../config.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { errorMessage } from '../lib/error-message.ts';
import { SCHEMA_VERSION, schemaVersion } from '../storage/migrate.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { type ProviderAccuracy, priceAccuracy } from '../visits/price-accuracy.ts';
import { fail } from './command-output.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run price:accuracy: shows how accurate each provider's displayed prices were.
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else report(parsed.config.store);

function report(store: StoreAddress): void {
  if (store.kind === 'embedded' && !existsSync(databasePath(store.dataDir))) {
    fail(
      `There is no store in ${store.dataDir}: start the server once, or set DATA_DIR to the folder of another store.`,
    );
    return;
  }
  runAsOwner(store);
  try {
    using database = openDatabaseForReading(store);
    if (schemaVersion(database) !== SCHEMA_VERSION) {
      fail('The store was written by another version of Skylark: start the server of this version once.');
    } else print(priceAccuracy(database, storedCatalogue(database)()));
  } catch (error) {
    fail(`The store cannot be read: ${errorMessage(error)}. Check it with npm run doctor.`);
  }
}

function print(providers: readonly ProviderAccuracy[]): void {
  if (providers.length === 0) {
    console.log('No click-throughs are recorded yet.');
    return;
  }
  console.table(
    providers.map(
      ({ provider, visits, same, up, medianUp, down, medianDown, soldOut, unknown, standing }) => ({
        provider,
        clicks: visits,
        same,
        up,
        'up by (median)': percent(medianUp),
        down,
        'down by (median)': percent(medianDown),
        'sold out': soldOut,
        'not compared yet': unknown,
        standing: standing ?? 'good',
      }),
    ),
  );
}

function percent(value: number | null): string {
  return value === null ? '' : `${value.toFixed(1)}%`;
}
