import { firstDayOfMonth } from '../../domain/month.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { bad, type Finding, ok } from './finding.ts';
import { lookAtMonths } from './months-of-packages.ts';

const REFERENCES = [
  ['hotel', 'hotel'],
  ['room', 'room'],
  ['resort', 'resort'],
  ['flight', 'outbound_flight'],
  ['flight', 'inbound_flight'],
] as const;

const JOINED = REFERENCES.map(
  ([table, column]) => `left join ${table} as of_${column} on of_${column}.id = offer.${column}`,
).join(' ');
const IS_MISSING = REFERENCES.map(([, column]) => `of_${column}.id is null`).join(' or ');

const MISSING = `select provider.code, count(*) from offer ${JOINED}
  left join provider on provider.id = offer.provider
  where departure_day >= ? and departure_day < ? and (${IS_MISSING}) group by provider.code`;

/**
 * Finds packages whose hotel, room, resort or flights are missing, because searches fail on them. `now` is in
 * milliseconds since 1970.
 */
export async function checkRecords(database: SqlDatabase, now: number): Promise<Finding[]> {
  const missing = database.prepare(MISSING);
  const looked = await lookAtMonths(database, now, (month) =>
    missing.rows(firstDayOfMonth(month), firstDayOfMonth(month + 1)),
  );
  if (looked === null) return [];
  const { faults, compared } = looked;
  const found = new Map<string, number>();
  for (const [provider, packages] of faults) {
    const code = String(provider ?? 'an unknown provider');
    found.set(code, (found.get(code) ?? 0) + Number(packages));
  }
  if (found.size === 0) return [ok(`Every package has its hotel, room, resort and flights (${compared}).`)];
  const counts = [...found].map(([provider, packages]) => `${provider}: ${packages}`).join(', ');
  return [
    bad(
      `Packages whose hotel, room, resort or flight is missing (${compared}): ${counts}. Searches that find one fail.`,
      `Import the feeds of these providers again: ${[...found.keys()].join(', ')}.`,
    ),
  ];
}
