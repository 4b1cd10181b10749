import { spawnSync } from 'node:child_process';
import { addDays, dayNumber, fromDayNumber, todayInLondon } from '../domain/calendar-date.ts';
import { packageLookup } from '../server/alerts/tables/package-lookup.ts';
import { inventoryWriter } from '../server/ingest/inventory-writer.ts';
import { priceEffects } from '../server/ingest/price-listeners.ts';
import type { OfferRow } from '../server/inventory/inventory.ts';
import { OFFER, OFFER_COLUMNS } from '../server/inventory/offer-columns.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { mapInOrder } from '../server/lib/map-in-order.ts';
import { offersOfDay } from '../server/sample/offers-of-day.ts';
import { sampleMarket } from '../server/sample/sample-market.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore, type StoreAddress } from '../server/storage/store-address.ts';
import { startPostgres } from '../tests/fixtures/postgres.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { addSearchWatches, addWatches } from './support/generate-watches.ts';

const { words, options } = commandLine(
  `npm run bench:alerts -- [embedded or postgresql, default embedded] [--watches 1000000]
  matches batches of 5,000 price changes with that many watches of packages and as many of searches`,
  { maxWords: 1, options: { watches: 1_000_000, measure: '' } },
);
const DAYS = 60;
const BATCH = 5_000;
const SEARCHES = 20_000;
const ROUNDS = 7;

const now = Date.now();
const today = todayInLondon(now);
const first = dayNumber(addDays(today, 30));

if (options.measure === '') await prepareAndMeasure();
else await measure(addressOf(options.measure));

function addressOf(place: string): StoreAddress {
  return place.startsWith('postgresql:')
    ? { kind: 'postgresql', url: place, readUrls: [] }
    : embeddedStore(place);
}

/** Fills a store, and measures it in a process of its own, so that its memory is that of matching. */
async function prepareAndMeasure(): Promise<void> {
  const folder = temporaryFolder();
  const postgres =
    words[0] === 'postgresql' ? await startPostgres(undefined, 'shared_buffers = 512MB') : null;
  const place = postgres?.urlOf('postgres') ?? folder.path;
  await prepare(addressOf(place), postgres !== null);
  spawnSync(process.execPath, [import.meta.filename, '--measure', place], { stdio: 'inherit' });
  await postgres?.remove();
  folder.remove();
}

async function prepare(address: StoreAddress, isPostgres: boolean): Promise<void> {
  const market = sampleMarket(1);
  const database = await openDatabase(address);
  const packages = packageLookup(database);
  const writer = inventoryWriter(database);
  await writer.replaceReference(market.reference);
  const offers: OfferRow[] = [];
  for (let day = first; day < first + DAYS; day += 1) {
    const rows = offersOfDay(market, fromDayNumber(day), today, Math.floor(now / 60_000));
    await writer.writeOffers(rows);
    offers.push(...rows);
  }
  console.log(`${offers.length} packages over ${DAYS} days`);
  const { watches } = options;
  const anyPackage = () => packages.read(offers[Math.floor(Math.random() * offers.length)] as OfferRow);
  await addWatches(database, await mapInOrder(Array.from({ length: watches }), anyPackage));
  const searched = await mapInOrder(Array.from({ length: SEARCHES }), anyPackage);
  await addSearchWatches(database, searched, { watches, now });
  if (isPostgres) await database.exec('vacuum analyze');
  console.log(`${watches} watches of packages, ${watches} of searches`);
  await database.close();
}

async function measure(address: StoreAddress): Promise<void> {
  const database = await openDatabase(address);
  const plain = inventoryWriter(database);
  const watching = inventoryWriter(
    database,
    priceEffects(database, () => now),
  );
  const ofDay = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer where departure_day = ? limit ${BATCH}`,
  );
  const days = Array.from({ length: ROUNDS }, (_, round) => first + Math.floor((DAYS / ROUNDS) * round));
  const batches = (await mapInOrder(days, (day) => ofDay.rows(day))) as unknown as OfferRow[][];
  const count = async (sql: string) => Number((await database.prepare(sql).row())?.[0]);
  for (const [name, writer, factor] of [
    ['without watches', plain, 0.99],
    ['falls of 1%', watching, 0.98],
    ['rises', watching, 1.02],
    ['falls of 12%', watching, 0.88],
  ] as const) {
    const times: number[] = [];
    const queuedBefore = await count('select count(*) from alert_message');
    const cpu = process.cpuUsage();
    for (const offers of batches) {
      const rows = offers.map(
        (offer) =>
          offer.with(OFFER.price, Math.floor(Number(offer[OFFER.price]) * factor)) as unknown as OfferRow,
      );
      const started = performance.now();
      await writer.writeOffers(rows);
      times.push(performance.now() - started);
    }
    const { user, system } = process.cpuUsage(cpu);
    const median = times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
    console.log(
      `${name}: ${Math.round(median)} ms a batch of ${BATCH} (median), ${Math.round((user + system) / 1_000 / ROUNDS)} ms of CPU time (mean), ${(await count('select count(*) from alert_message')) - queuedBefore} messages`,
    );
  }
  console.log(`peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
  await database.close();
}
