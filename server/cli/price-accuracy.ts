import { parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { liftStanding } from '../ingest/settle-visits.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { commandLine, installedUsage } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { type ProviderAccuracy, priceAccuracy } from '../visits/price-accuracy.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run price:accuracy                how accurate each provider's displayed prices were
npm run price:accuracy -- lift CODE   ends a provider's standing 'marked' or 'hidden'`;

const [command, code] = commandLine(USAGE, { maxWords: 2 }).words;
const isLift = command === 'lift' && code !== undefined;
loadInstalledSettings();
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused') fail(parsed.message);
else if (command !== undefined && !isLift) fail(installedUsage(USAGE));
else await run(parsed.config.store, isLift ? code : null);

/** Lifts the standing of the provider `lifted`; if it is null, prints the accuracy of all. */
async function run(store: StoreAddress, lifted: string | null): Promise<void> {
  if (!(await requireStore(store))) return;
  try {
    await using database = lifted === null ? openDatabaseForReading(store) : await openDatabase(store);
    if (lifted === null) print(await priceAccuracy(database, await storedCatalogue()(database)));
    else if (await liftStanding(database, lifted, alertClock()))
      console.log(`The standing of ${lifted} is good. Earlier clicks and checks no longer count.`);
    else fail(`The standing of ${lifted} is good already.`);
  } catch (error) {
    fail(`The store cannot be used: ${errorMessage(error)}. Check it with ${installedCommand('doctor')}.`);
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
