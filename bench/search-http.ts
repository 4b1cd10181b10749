import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { type Airport, expandAirport, parseAirports } from '../domain/airport.ts';
import { addDays, todayInLondon } from '../domain/calendar-date.ts';
import { type Destination, parseDestinations } from '../domain/destination.ts';
import { DURATIONS } from '../domain/duration.ts';
import { SEARCH_PACKAGES_QUERY } from '../domain/search-query.ts';
import { startServer } from './start-server.ts';

// How long searches take over HTTP: node bench/search-http.ts [--data ./data | --url http://...] [--requests 2000]
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: './data' },
    url: { type: 'string' },
    requests: { type: 'string', default: '2000' },
  },
});

/** The page's query misses the direct path by a comment: the same search through the schema. */
const PATHS = { direct: SEARCH_PACKAGES_QUERY, schema: `# by the schema\n${SEARCH_PACKAGES_QUERY}` };

const server = options.url === undefined ? await startServer(options.data) : null;
try {
  await measure(options.url ?? server?.address ?? '', Number(options.requests));
} finally {
  await server?.stop();
}

async function measure(address: string, requests: number): Promise<void> {
  const config = (await (await fetch(new URL('/config.json', address))).json()) as {
    searchApiKey: string;
    brandCode: string;
  };
  const list = async (name: string) => (await fetch(new URL(`/data/${name}`, address))).text();
  const destinations = parseDestinations(await list('locations.csv'));
  const airports = parseAirports(await list('departure-airports.csv'));
  const random = numbersFrom(1);
  const searches = Array.from({ length: requests }, () =>
    anySearch(destinations, airports, config.brandCode, random),
  );

  for (const [path, query] of Object.entries(PATHS)) {
    for (const clients of [1, 16]) {
      const post = poster(address, config.searchApiKey, clients);
      await timeAll(searches.slice(0, 200), query, clients, post);
      const answers = await timeAll(searches, query, clients, post);
      const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
      const kilobytes = answers.reduce((sum, { bytes }) => sum + bytes, 0) / answers.length / 1_000;
      const failed = answers.filter(({ status }) => status !== 200).length;
      console.log(
        `${path.padEnd(7)}${String(clients).padStart(2)} clients: p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)} max ${at(1 - 1e-9)} ms, ${kilobytes.toFixed(1)} kB an answer, ${failed} failed`,
      );
    }
  }
}

interface Timed {
  ms: number;
  bytes: number;
  status: number;
}

/** Each client asks its next search once its last is answered. */
async function timeAll(
  searches: readonly object[],
  query: string,
  clients: number,
  post: (body: string) => Promise<Timed>,
): Promise<Timed[]> {
  const waiting = searches.values();
  const answers: Timed[] = [];
  const client = async () => {
    for (const variables of waiting) answers.push(await post(JSON.stringify({ query, variables })));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

function poster(address: string, key: string, clients: number): (body: string) => Promise<Timed> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'accept-encoding': 'gzip, br, zstd',
  };
  return (body) =>
    new Promise((resolve, reject) => {
      const from = performance.now();
      const asked = request(new URL('/graphql', address), { method: 'POST', agent, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('end', () =>
          resolve({ ms: performance.now() - from, bytes, status: response.statusCode ?? 0 }),
        );
      });
      asked.on('error', reject);
      asked.end(body);
    });
}

/** A country, region or resort; an airport or a region of them; any day of 18 months; any length of stay. */
function anySearch(
  destinations: readonly Destination[],
  airports: readonly Airport[],
  brand: string,
  random: () => number,
): object {
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('There is nothing to pick from');
    return one;
  };
  const { country, region, resort } = pick(destinations);
  const place = pick([{ country }, { country, region }, { country, region, resort }]);
  const fromRegion = random() < 0.5;
  const departure = pick(airports.filter(({ isRegion }) => isRegion === fromRegion));
  const startDate = addDays(todayInLondon(Date.now()), 1 + Math.floor(random() * 545));
  const duration = pick(DURATIONS);
  return {
    filters: {
      brand,
      startDate,
      endDate: addDays(startDate, duration),
      departureAirports: expandAirport(departure),
      numberOfAdults: 2,
      numberOfChildren: 0,
      numberOfInfants: 0,
      duration,
      ...place,
    },
    sortBy: pick(['PRICE_ASC', 'PRICE_ASC', 'PRICE_DESC', 'DEPARTURE_DATE_ASC', 'STAR_RATING_DESC']),
    limit: 100,
    nextToken: null,
  };
}

/** Numbers in [0, 1), the same ones for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
