import { readFileSync } from 'node:fs';
import { parseAirports } from '../domain/airport.ts';
import { dayNumber, todayInLondon } from '../domain/calendar-date.ts';
import { commandOptions } from '../scripts/command-options.ts';
import { airportNeighbours } from '../server/inventory/airport-neighbours.ts';
import { wholeCatalogue } from '../server/inventory/catalogue.ts';
import type { OfferRow } from '../server/inventory/inventory.ts';
import { itemKeyOf } from '../server/inventory/item-key.ts';
import { offerCodes } from '../server/inventory/offer-codes.ts';
import { OFFER_COLUMNS } from '../server/inventory/offer-columns.ts';
import { readReferenceTables } from '../server/inventory/tables/reference-tables.ts';
import { analysePrices } from '../server/price-history/analyse-prices.ts';
import { refreshPrices } from '../server/price-history/refresh-prices.ts';
import { seededRandom } from '../server/sample/seeded-random.ts';
import { writeSampleHistory } from '../server/sample/write-sample-history.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { type OracleCard, verdictOracle } from './verdict-oracle/verdict-oracle.ts';

const options = commandOptions(
  `Trains on a sample store, analyses packages at random, recomputes each verdict from the stored rows with code of its own,
and counts the kinds of verdicts.
  node bench/price-verdicts.ts [--packages 2000000] [--cards 1200] [--folder data/verdicts]
Exits with 1 if a verdict differs or contradicts itself.`,
  { packages: 2_000_000, cards: 1_200, folder: 'data/verdicts' },
);
const SEED = 1;
const STALE_AFTER_DAYS = 3;
/** A batch of the product. */
const BATCH = 20;

await makeSampleStore(options.folder, options.packages);
const database = openDatabase(embeddedStore(options.folder));
const nowMs = Date.now();
const today = dayNumber(todayInLondon(nowMs));
writeSampleHistory(database, SEED, today);
const trainedFrom = performance.now();
const { packages } = refreshPrices(database, today);
const trainedIn = Math.round(performance.now() - trainedFrom);
const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
console.log(`Trained on ${packages} packages in ${trainedIn} ms, ${memory} MB of memory`);

const catalogue = wholeCatalogue(readReferenceTables(database));
const codes = offerCodes(catalogue);
const offers = randomOffers(options.cards);
const oracle = verdictOracle(database, catalogue, nowMs, STALE_AFTER_DAYS);
const neighbours = airportNeighbours(parseAirports(readFileSync('assets/departure-airports.csv', 'utf8')));
const counts = new Map<string, number>();
const faults: string[] = [];
let analysedIn = 0;
for (let from = 0; from < offers.length; from += BATCH) {
  const batch = offers.slice(from, from + BATCH);
  const keys = batch.map((offer) => itemKeyOf(codes(offer)));
  const started = performance.now();
  const { analyses } = analysePrices(database, catalogue, neighbours, STALE_AFTER_DAYS, keys, nowMs);
  analysedIn += performance.now() - started;
  for (const [index, analysis] of analyses.entries()) {
    const offer = batch[index];
    if (offer === undefined) continue;
    const card: OracleCard = { offer, analysis };
    faults.push(...oracle(card));
    const { verdict, holiday } = analysis;
    const kind =
      verdict.kind === 'verdict'
        ? verdict.level
        : verdict.kind === 'no-verdict'
          ? verdict.reason.kind
          : verdict.kind;
    for (const group of ['all', holiday === null ? 'in term' : 'in a holiday', `party ${offer[2]}`]) {
      const name = `${group}: ${kind}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
}
for (const [name, count] of [...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  console.log(`${name} ${count}`);
console.log(`${offers.length} analyses in ${Math.round(analysedIn)} ms, ${faults.length} faults`);
for (const fault of faults.slice(0, 20)) console.log(fault);
database.close();
if (faults.length > 0) process.exitCode = 1;

function randomOffers(count: number): OfferRow[] {
  const bounds = database.prepare('select min(departure_day), max(departure_day) from offer').row() ?? [];
  const [first, last] = [Number(bounds[0]), Number(bounds[1])];
  // A place in the clustering order at random: day, nights, party and country.
  const find = database.prepare(
    `select ${OFFER_COLUMNS.join(', ')} from offer where (departure_day, nights, party, country, region, resort) >= (?, ?, ?, ?, ?, ?)
      order by departure_day, nights, party, country, region, resort limit 12`,
  );
  const resorts = [...catalogue.resorts.values()];
  return Array.from({ length: count }, (_, index) => {
    const random = (salt: number) => seededRandom(SEED, index, salt);
    const pick = <T>(all: readonly T[], salt: number) => all[Math.floor(random(salt) * all.length)];
    const resort = pick(resorts, 4);
    const region = catalogue.regions.get(resort?.region ?? 0);
    const rows = find.rows(
      first + Math.floor(random(1) * (last - first + 1)),
      pick([4, 7, 10, 14], 2) ?? 7,
      pick([1, 1, 1, 2, 3, 4], 3) ?? 1,
      region?.country ?? 0,
      region?.id ?? 0,
      resort?.id ?? 0,
    ) as unknown as OfferRow[];
    return pick(rows, 5);
  }).filter((offer) => offer !== undefined);
}
