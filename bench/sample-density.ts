import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expandAirport, parseAirports } from '../domain/airport.ts';
import {
  addDays,
  type CalendarDate,
  dayNumber,
  daysBetween,
  departureWindow,
  todayInLondon,
} from '../domain/calendar-date.ts';
import { DURATIONS } from '../domain/duration.ts';
import { isSchoolHoliday } from '../domain/school-holidays.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { type SampleDestination, sampleMarket } from '../server/sample/sample-market.ts';
import { choose, seededRandom } from '../server/sample/seeded-random.ts';
import { databasePath } from '../server/storage/open/database.ts';

const USAGE = `npm run sample:density -- [data folder, default DATA_DIR or ./data]
  searches 500 random plausible trips for two adults, and 500 for families in the school holidays from main airports to
  popular regions. Fails if under 95% of the couples' searches have results, or if the median is under 10 hotels, or
  if under 95% of the families' have 20 hotels.`;

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
const families = familiesFound();
if (even.found < 0.95 || even.median < 10 || families < 0.95) process.exit(1);

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

/** The share of searches by families on popular routes that find 20 hotels. */
function familiesFound(): number {
  const days = Array.from({ length: daysBetween(earliest, latest) + 1 }, (_, nth) => addDays(earliest, nth));
  const holidays = days.filter(isSchoolHoliday);
  const popular = market.destinations.filter(({ peakBreadth }) => peakBreadth > 0);
  const hotels = Array.from({ length: SEARCHES }, (_, index) => {
    const random = (salt: number) => seededRandom(8, index, salt);
    const place = pick(popular, random(1));
    const from = pick(place?.servedFrom.filter(({ isMain }) => isMain) ?? [], random(2));
    const resorts = popular.filter(({ region }) => region === place?.region).map(({ resort }) => resort);
    return hotelsOn(pick(holidays, random(3)) ?? earliest, {
      nights: choose([7, 10, 14] as const, random(4)),
      party: choose([3, 4] as const, random(5)),
      resorts,
      from: from === undefined ? [] : [from.origin],
    });
  });
  const share = hotels.filter((count) => count >= 20).length / SEARCHES;
  console.log(
    `Families in the school holidays: ${(share * 100).toFixed(1)}% of ${SEARCHES} searches find 20 hotels;`,
  );
  console.log(`  minimum ${Math.min(...hotels)}, maximum ${Math.max(...hotels)}`);
  return share;
}

function pick<Item>(items: readonly Item[], random: number): Item | undefined {
  return items[Math.floor(random * items.length)];
}

function hotelsFound(places: readonly SampleDestination[], random: (salt: number) => number): number {
  const flown = new Set(places.flatMap(({ servedFrom }) => servedFrom.map(({ origin }) => origin)));
  const selections = airports
    .filter(({ isRegion }) => isRegion === random(3) < 0.5)
    .map((airport) => expandAirport(airport).flatMap((code) => codes.get(code) ?? []))
    .filter((selection) => selection.some((id) => flown.has(id)));
  const from = selections[Math.floor(random(4) * selections.length)] ?? [];
  const day = addDays(earliest, Math.floor(random(5) * (daysBetween(earliest, latest) + 1)));
  const resorts = places.map(({ resort }) => resort);
  return hotelsOn(day, { nights: choose(DURATIONS, random(6)), party: 1, resorts, from });
}

function hotelsOn(
  day: CalendarDate,
  search: { nights: number; party: number; resorts: number[]; from: number[] },
): number {
  const row = database
    .prepare(
      `select count(distinct hotel) as hotels from offer
       where departure_day = ? and nights = ? and party = ? and resort in (select value from json_each(?))
       and airport in (select value from json_each(?))`,
    )
    .get(
      dayNumber(day),
      search.nights,
      search.party,
      JSON.stringify(search.resorts),
      JSON.stringify(search.from),
    );
  return Number(row?.hotels ?? 0);
}
