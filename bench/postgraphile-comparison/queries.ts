import type pg from 'pg';
import { addDays, fromDayNumber } from '../../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';

/** One search as a GraphQL request body for each server. */
export interface Question {
  skylark: object;
  postgraphile: object;
}

/** The parts of a place that a search names; each kind is a third of the searches. */
const LEVELS = [['country'], ['country', 'region'], ['country', 'region', 'resort']] as const;

type Level = (typeof LEVELS)[number];

/** Requests what the page requests (Section 7): 100 packages, cheapest first, with hotels, flights and the count. */
function postgraphileQuery(level: Level): string {
  const named = ['day', 'nights', 'airport', ...level];
  const conditions = [
    'departureDay: $day, nights: $nights, party: 1, airport: $airport',
    ...level.map((name) => `${name}: $${name}`),
  ];
  return `query (${named.map((name) => `$${name}: Int!`).join(', ')}) {
  allOffers(first: 100, orderBy: [PRICE_ASC, HOTEL_ASC, PRIMARY_KEY_ASC], condition: { ${conditions.join(', ')} }) {
    totalCount
    nodes {
      departureDay nights price priceBefore halfStars luggage expiresAt seenAt link
      hotelOf {
        code name halfStars consumerRating latitude longitude
        resortOf { name regionOf { name countryOf { name } } }
      }
      outbound { ...flight }
      inbound { ...flight }
      boardOf { code }
      roomOf { description }
      providerOf { code }
      partyOf { adults children infants }
    }
  }
}
fragment flight on Flight { number airline departureMinute durationSeconds from { code } to { code } }`;
}

/** Foreign keys, which PostGraphile reads from the tables' comments. */
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  offer: [
    '(hotel) references hotel (id)|@fieldName hotelOf',
    '(outbound_flight) references flight (id)|@fieldName outbound',
    '(inbound_flight) references flight (id)|@fieldName inbound',
    '(board) references board (id)|@fieldName boardOf',
    '(room) references room (id)|@fieldName roomOf',
    '(provider) references provider (id)|@fieldName providerOf',
    '(party) references party (id)|@fieldName partyOf',
  ],
  hotel: ['(resort) references resort (id)|@fieldName resortOf'],
  resort: ['(region) references region (id)|@fieldName regionOf'],
  region: ['(country) references country (id)|@fieldName countryOf'],
  flight: [
    '(origin) references airport (id)|@fieldName from',
    '(destination) references airport (id)|@fieldName to',
  ],
};

/** Adds the comments for PostGraphile, and updates the planner's statistics. */
export async function prepareTables(client: pg.Client): Promise<void> {
  for (const [table, relations] of Object.entries(RELATIONS)) {
    const comment = relations.map((relation) => `@foreignKey ${relation}`).join('\n');
    await client.query(`comment on table ${table} is '${comment}'`);
  }
  await client.query('vacuum analyze');
}

/** Searches with results. They are sampled from packages, so that larger destinations occur more often. */
export async function readQuestions(client: pg.Client, max: number): Promise<Question[]> {
  const { rows } = await client.query<Record<string, string | number>>(
    `select offer.departure_day as day, offer.nights, offer.country, offer.region, offer.resort, offer.airport,
       country.name as country_name, region.name as region_name, resort.name as resort_name, airport.code
     from (select * from offer tablesample bernoulli (1) where party = 1) as offer
     join country on country.id = offer.country join region on region.id = offer.region
     join resort on resort.id = offer.resort join airport on airport.id = offer.airport
     order by md5(offer::text) limit ${max}`,
  );
  return rows.map((row, nth) => questionOf(row, LEVELS[nth % LEVELS.length] ?? LEVELS[0]));
}

function questionOf(row: Record<string, string | number>, level: Level): Question {
  const startDate = fromDayNumber(Number(row.day));
  const duration = Number(row.nights);
  const names = Object.fromEntries(level.map((name) => [name, row[`${name}_name`]]));
  const ids = Object.fromEntries(level.map((name) => [name, row[name]]));
  const filters = {
    brand: 'SKY',
    startDate,
    endDate: addDays(startDate, duration),
    departureAirports: [row.code],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration,
    ...names,
  };
  return {
    skylark: {
      query: SEARCH_PACKAGES_QUERY,
      variables: { filters, sortBy: 'PRICE_ASC', limit: 100, nextToken: null },
    },
    postgraphile: {
      query: postgraphileQuery(level),
      variables: { day: row.day, nights: duration, airport: row.airport, ...ids },
    },
  };
}
