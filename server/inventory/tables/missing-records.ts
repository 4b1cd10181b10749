import { firstDayOfMonth } from '../../../domain/month.ts';
import type { SqlSession } from '../../storage/sql-database.ts';

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

const MISSING = `select coalesce(provider.code, 'an unknown provider') as provider, count(*) as packages
  from offer ${JOINED} left join provider on provider.id = offer.provider
  where departure_day >= ? and departure_day < ? and (${IS_MISSING}) group by provider.code`;

/** Counts a month's packages whose hotel, room, resort or flight is missing. Months count from 1970-01. */
export async function missingRecords(
  database: SqlSession,
  month: number,
): Promise<{ provider: string; packages: number }[]> {
  const rows = await database.prepare(MISSING).all(firstDayOfMonth(month), firstDayOfMonth(month + 1));
  return rows.map(({ provider, packages }) => ({ provider: String(provider), packages: Number(packages) }));
}
