import { addDays, dayNumber, fromDayNumber, todayInLondon } from '../domain/calendar-date.ts';
import { packageLookup } from '../server/alerts/tables/package-lookup.ts';
import { inventoryWriter } from '../server/ingest/inventory-writer.ts';
import { priceEffects } from '../server/ingest/price-listeners.ts';
import type { OfferRow } from '../server/inventory/inventory.ts';
import { OFFER } from '../server/inventory/offer-columns.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { mapInOrder } from '../server/lib/map-in-order.ts';
import { offersOfDay } from '../server/sample/offers-of-day.ts';
import { sampleMarket } from '../server/sample/sample-market.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore, type StoreAddress } from '../server/storage/store-address.ts';
import { startPostgres } from '../tests/fixtures/postgres.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { addSearchWatches, addWatches } from './support/generate-watches.ts';

const { words } = commandLine(
  `npm run bench:alerts -- [embedded or postgresql, default embedded]
  matches batches of 5,000 price changes with a million watches of packages and a million of searches`,
  { maxWords: 1 },
);
const WATCHES = 1_000_000;
const DAYS = 60;
const BATCH = 5_000;
const SEARCHES = 20_000;
const ROUNDS = 7;

const now = Date.now();
const today = todayInLondon(now);
const market = sampleMarket(1);
const folder = temporaryFolder();
const postgres = words[0] === 'postgresql' ? await startPostgres(undefined, 'shared_buffers = 512MB') : null;
const address: StoreAddress =
  postgres === null
    ? embeddedStore(folder.path)
    : { kind: 'postgresql', url: postgres.urlOf('postgres'), readUrls: [] };
const database = await openDatabase(address);
const packages = packageLookup(database);
const plain = inventoryWriter(database);
await plain.replaceReference(market.reference);

const first = dayNumber(addDays(today, 30));
const offers: OfferRow[] = [];
for (let day = first; day < first + DAYS; day += 1) {
  const rows = offersOfDay(market, fromDayNumber(day), today, Math.floor(now / 60_000));
  await plain.writeOffers(rows);
  offers.push(...rows);
}
console.log(`${offers.length} packages over ${DAYS} days`);

const anyPackage = () => packages.read(offers[Math.floor(Math.random() * offers.length)] as OfferRow);
await addWatches(database, await mapInOrder(Array.from({ length: WATCHES }), anyPackage));
await addSearchWatches(database, await mapInOrder(Array.from({ length: SEARCHES }), anyPackage), {
  watches: WATCHES,
  now,
});
if (postgres !== null) await database.exec('vacuum analyze');
console.log(`${WATCHES} watches of packages, ${WATCHES} of searches`);

const connection = await openDatabase(address);
const watching = inventoryWriter(
  connection,
  priceEffects(connection, () => now),
);
for (const [name, writer, factor] of [
  ['without watches', plain, 0.99],
  ['falls of 1%', watching, 0.98],
  ['rises', watching, 1.02],
  ['falls of 12%', watching, 0.88],
] as const) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = Math.floor((offers.length / ROUNDS) * round);
    const rows = offers
      .slice(from, from + BATCH)
      .map(
        (offer) =>
          offer.with(OFFER.price, Math.floor(Number(offer[OFFER.price]) * factor)) as unknown as OfferRow,
      );
    const started = performance.now();
    await writer.writeOffers(rows);
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  console.log(`${name}: ${Math.round(times[Math.floor(ROUNDS / 2)] ?? 0)} ms a batch of ${BATCH} (median)`);
}
console.log(await database.prepare('select count(*) as alerts from alert_message').get());
console.log(`peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
await connection.close();
await database.close();
await postgres?.remove();
folder.remove();
