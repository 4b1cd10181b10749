import type pg from 'pg';
import type { OfferRow, ReferenceData } from '../storage/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../storage/offer-columns.ts';
import { numbered } from '../storage/postgres-client.ts';
import { REFERENCE_QUERIES, REFERENCE_VERSION, referenceOf } from '../storage/reference-tables.ts';
import type { SqlInput, SqlValue } from '../storage/sql-database.ts';
import type { Best } from './find-best-per-hotel.ts';
import { findPage } from './find-page.ts';
import { offerConditions } from './offer-conditions.ts';
import type { PackageQuestion, PackageRepository } from './package-repository.ts';
import type { PostgresConnections, PostgresServers } from './postgres-servers.ts';
import { dayOfRank, RANK_SQL } from './rank.ts';
import type { AskStore, Departures, SearchStore } from './search-store.ts';
import { isWide } from './wide-window.ts';

/** For how long the dictionaries are taken to be the same as they were, in milliseconds. */
const VERSION_HOLDS = 1_000;

const NOTE = 'select value from note where name = ?';

/** A rank and a day in one number: days stay under it, ranks that have no day in them far below 2^38. */
const DAY_SPAN = 2 ** 15;

/** Searches over a store in PostgreSQL, which it owns and closes. Throws `StoreUnavailable` where it is not there. */
export function postgresPackageRepository(servers: PostgresServers): PackageRepository {
  const names = new Map<string, { name: string; text: string }>();
  let version: { value: string; askedAt: number } | null = null;
  let reference: { version: string; data: ReferenceData } | null = null;

  /** Prepared once on each connection: planning would cost as much as searching. */
  function prepared(sql: string): { name: string; text: string } {
    const known = names.get(sql) ?? { name: `search${names.size + 1}`, text: numbered(sql) };
    names.set(sql, known);
    return known;
  }

  function ask(
    server: PostgresConnections,
    sql: string,
    values: readonly SqlInput[],
    isLong = false,
  ): Promise<SqlValue[][]> {
    return server.ask({ ...prepared(sql), values, isLong });
  }

  return {
    search(question) {
      const isLong = isWide(question);
      return servers.read((server) =>
        findPage(question, (sql, values) => ask(server, sql, values, isLong), searchStore),
      );
    },
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const found = await servers.read((server) => Promise.all(keys.map((key) => ask(server, sql, key))));
      return found.flat() as unknown as OfferRow[];
    },
    async referenceVersion() {
      const now = performance.now();
      if (version !== null && now - version.askedAt < VERSION_HOLDS) return version.value;
      const value = await servers.readNewest(async (server) =>
        versionOf(await ask(server, NOTE, [REFERENCE_VERSION])),
      );
      version = { value, askedAt: now };
      return value;
    },
    async readReference() {
      reference = await servers.readNewest(({ pool }) => readReference(pool, reference));
      version = { value: reference.version, askedAt: performance.now() };
      return reference.data;
    },
    async readNote(name) {
      const rows = await servers.readNewest((server) => ask(server, NOTE, [name]));
      const value = rows[0]?.[0];
      return typeof value === 'string' ? value : null;
    },
    close: () => servers.close(),
  };
}

function versionOf(rows: readonly (readonly SqlValue[])[]): string {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : '';
}

/** All dictionaries as they stood at one moment; what is held already is not read again. */
async function readReference(
  pool: pg.Pool,
  held: { version: string; data: ReferenceData } | null,
): Promise<{ version: string; data: ReferenceData }> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<SqlValue[]>({
      text: 'select value from note where name = $1',
      values: [REFERENCE_VERSION],
      rowMode: 'array',
    });
    const version = versionOf(rows);
    const tables: unknown[][] = [];
    if (version !== held?.version || version === '') {
      for (const sql of REFERENCE_QUERIES)
        tables.push((await client.query<Record<string, unknown>>(sql)).rows);
    }
    await client.query('commit');
    return tables.length === 0 && held !== null ? held : { version, data: referenceOf(tables) };
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection that failed in the middle is not used again.
    client.release(failure);
  }
}

function searchStore(ask: AskStore): SearchStore {
  const anyOf = (expression: string) => `${expression} = any(?)`;
  return {
    ask,
    anyOf,
    async departures({ firstDay, lastDay, nights }) {
      const length = Math.max(0, lastDay - firstDay + 1);
      return {
        days: Array.from({ length }, (_, index) => firstDay + index),
        stays: nights === null ? null : [nights],
      };
    },
    bestPerHotel: (question, departures) => bestInStore({ ask, anyOf }, question, departures),
  };
}

/** The store groups: only a number a hotel crosses the wire. */
async function bestInStore(
  store: Pick<SearchStore, 'ask' | 'anyOf'>,
  question: PackageQuestion,
  departures: Departures,
): Promise<Best[]> {
  const { sort } = question;
  const rank = RANK_SQL[sort];
  const hasDay = dayOfRank(sort, 0) !== null;
  const best = hasDay ? `min(${rank})` : `min(cast(${rank} as bigint) * ${DAY_SPAN} + departure_day)`;
  const { sql, values } = offerConditions(store, question, departures);
  const rows = await store.ask(`select hotel, ${best} from offer where ${sql} group by hotel`, values);
  return (rows as [number, number][]).map(([hotel, value]) =>
    hasDay
      ? { hotel, rank: value, day: dayOfRank(sort, value) ?? 0 }
      : { hotel, rank: Math.floor(value / DAY_SPAN), day: value % DAY_SPAN },
  );
}
