import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expandAirport, parseAirports } from '../domain/airport.ts';
import { addDays, dayNumber, daysBetween, departureWindow, todayInLondon } from '../domain/calendar-date.ts';
import { DURATIONS } from '../domain/duration.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { type SampleDestination, sampleMarket } from '../server/sample/sample-market.ts';
import { choose, seededRandom } from '../server/sample/seeded-random.ts';
import { databasePath } from '../server/storage/open/database.ts';

const USAGE = `npm run sample:density -- [data folder, default DATA_DIR or ./data]
  searches 500 random plausible trips for two adults. Fails if under 95% have results, or if the median is under 10
  hotels.`;

const SEARCHES = 500;
const { words } = commandLine(USAGE, { maxWords: 1 });
const dataDir = words[0] ?? process.env.DATA_DIR ?? './data';
const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
const market = sampleMarket(Number(process.env.SAMPLE_SEED ?? 1));
const airports = parseAirports(readFileSync('assets/departure-airports.csv', 'utf8'));
const codes = new Map(market.reference.airports.map(({ id, code }) => [code, id]));
const { earliest, latest } = departureWindow(todayInLondon(Date.now()));

const even = report('Countries, regions and resorts with equal probability', (random) => {
  const level = choose(['country', 'region', 'resort'] as const, random(1));
  return destinationsOf(level, random(2));
});
report('All destinations with equal probability', (random) => {
  const counts = {
    country: ids('country').length,
    region: ids('region').length,
    resort: ids('resort').length,
  };
  const at = random(1) * (counts.country + counts.region + counts.resort);
  const level = at < counts.country ? 'country' : at < counts.country + counts.region ? 'region' : 'resort';
  return destinationsOf(level, random(2));
});
if (even.found < 0.95 || even.median < 10) process.exit(1);

type Level = 'country' | 'region' | 'resort';

function ids(level: Level): number[] {
  return [...new Set(market.destinations.map((destination) => destination[level]))];
}

function destinationsOf(level: Level, random: number): SampleDestination[] {
  const all = ids(level);
  const id = all[Math.floor(random * all.length)];
  return market.destinations.filter((destination) => destination[level] === id);
}

function report(title: string, pick: (random: (salt: number) => number) => SampleDestination[]) {
  const hotels = Array.from({ length: SEARCHES }, (_, index) => {
    const random = (salt: number) => seededRandom(7, index, salt);
    return hotelsFound(pick(random), random);
  }).sort((one, other) => one - other);
  const found = hotels.filter((count) => count > 0).length / SEARCHES;
  const at = (share: number) => hotels[Math.floor(share * (SEARCHES - 1))] ?? 0;
  console.log(`${title}: ${(found * 100).toFixed(1)}% of ${SEARCHES} searches have results;`);
  console.log(
    `  hotels: quartiles ${at(0.25)} / ${at(0.5)} / ${at(0.75)}, minimum ${at(0)}, maximum ${at(1)}`,
  );
  return { found, median: at(0.5) };
}

function hotelsFound(places: readonly SampleDestination[], random: (salt: number) => number): number {
  const flown = new Set(places.flatMap(({ servedFrom }) => servedFrom.map(({ origin }) => origin)));
  const selections = airports
    .filter(({ isRegion }) => isRegion === random(3) < 0.5)
    .map((airport) => expandAirport(airport).flatMap((code) => codes.get(code) ?? []))
    .filter((selection) => selection.some((id) => flown.has(id)));
  const from = selections[Math.floor(random(4) * selections.length)] ?? [];
  const day = dayNumber(addDays(earliest, Math.floor(random(5) * (daysBetween(earliest, latest) + 1))));
  const row = database
    .prepare(
      `select count(distinct hotel) as hotels from offer
       where departure_day = ? and nights = ? and party = 1 and resort in (select value from json_each(?))
       and airport in (select value from json_each(?))`,
    )
    .get(
      day,
      choose(DURATIONS, random(6)),
      JSON.stringify(places.map(({ resort }) => resort)),
      JSON.stringify(from),
    );
  return Number(row?.hotels ?? 0);
}
