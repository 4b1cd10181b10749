import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import { numbered } from '../storage/postgres/client.ts';
import type { QueryPostgres } from '../storage/postgres/pipeline.ts';
import type { ReadPool } from '../storage/postgres/read-pool.ts';
import type { SqlValue } from '../storage/sql-database.ts';
import type { Best } from './find-best-per-hotel.ts';
import { findPage } from './find-page.ts';
import { heldStates } from './held-states.ts';
import { offerConditions } from './offer-conditions.ts';
import type {
  Found,
  FoundPage,
  PackageQuestion,
  PackageRepository,
  QuestionsOf,
} from './package-repository.ts';
import { dayOfRank, RANK_SQL } from './rank.ts';
import type { AskStore, Departures, SearchStore } from './search-store.ts';
import { isWide } from './wide-window.ts';

/** For how long the dictionaries are taken to be the same as they were, in milliseconds, where nothing is searched. */
const VERSION_HOLDS = 1_000;

const NOTE = 'select value from note where name = ?';

/** A rank and a day in one number: days stay under it, ranks that have no day in them far below 2^38. */
const DAY_SPAN = 2 ** 15;

/** Searches over a store in PostgreSQL, which it owns and closes. Throws `StoreUnavailable` where it is not there. */
export function postgresPackageRepository(servers: ReadPool): PackageRepository {
  const names = new Map<string, { name: string; text: string }>();
  const states = heldStates();
  /** Searches that share a snapshot ask for its version once. */
  const versions = new WeakMap<QueryPostgres, Promise<string>>();
  /** When a server was last asked whether the dictionaries are still the latest state's. */
  let askedAt = Number.NEGATIVE_INFINITY;
  let version: { value: string; askedAt: number } | null = null;

  /** Prepared once on each connection: planning would cost as much as searching. */
  function prepared(sql: string): { name: string; text: string } {
    const known = names.get(sql) ?? { name: `search${names.size + 1}`, text: numbered(sql) };
    names.set(sql, known);
    return known;
  }

  const askerOf =
    (askServer: QueryPostgres, isLong: boolean): AskStore =>
    (sql, values) =>
      askServer({ ...prepared(sql), values, isLong });

  function versionIn(askServer: QueryPostgres): Promise<string> {
    const known =
      versions.get(askServer) ?? askerOf(askServer, false)(NOTE, [REFERENCE_VERSION]).then(versionOf);
    versions.set(askServer, known);
    return known;
  }

  /**
   * Finds in one snapshot. The questions that the last known state makes go out at once, with one for the version:
   * where that is another, they are made and asked anew, still in this snapshot.
   */
  async function find(askServer: QueryPostgres, isLong: boolean, questionsOf: QuestionsOf): Promise<Found> {
    const ask = askerOf(askServer, isLong);
    const expected = states.latest();
    const askedForVersion = versionIn(askServer);
    const first = expected === null ? null : pagesOf(ask, questionsOf(expected));
    const [found, newest] = await Promise.all([first, askedForVersion]);
    const current = await states.at(newest, ask);
    askedAt = performance.now();
    const pages = found !== null && current === expected ? found : await pagesOf(ask, questionsOf(current));
    await current.lookUp(
      searchStore(ask),
      pages.flatMap(({ offers }) => offers),
    );
    return { state: current, pages };
  }

  return {
    async search(questionsOf) {
      const expected = states.latest();
      const questions = expected === null ? [] : questionsOf(expected);
      if (expected !== null && questions.length === 0 && performance.now() - askedAt < VERSION_HOLDS) {
        return { state: expected, pages: [] };
      }
      const isLong = questions.some(isWide);
      const again: QuestionsOf = (state) => (state === expected ? questions : questionsOf(state));
      return servers.read(({ inSnapshot }) =>
        inSnapshot((askServer) => find(askServer, isLong, again), isLong),
      );
    },
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      const found = await servers.read(({ inSnapshot }) =>
        inSnapshot((askServer) => {
          const ask = askerOf(askServer, false);
          return Promise.all(keys.map((key) => ask(sql, key)));
        }, false),
      );
      return found.flat() as unknown as OfferRow[];
    },
    async state() {
      const { state } = await servers.readNewest(({ inSnapshot }) =>
        inSnapshot((askServer) => find(askServer, false, () => []), false),
      );
      return state;
    },
    async referenceVersion() {
      const now = performance.now();
      if (version !== null && now - version.askedAt < VERSION_HOLDS) return version.value;
      const value = await servers.readNewest(async ({ query: ask }) =>
        versionOf(await askerOf(ask, false)(NOTE, [REFERENCE_VERSION])),
      );
      version = { value, askedAt: now };
      return value;
    },
    async readNote(name) {
      const rows = await servers.readNewest(({ query: ask }) => askerOf(ask, false)(NOTE, [name]));
      const value = rows[0]?.[0];
      return typeof value === 'string' ? value : null;
    },
    close: () => servers.close(),
  };
}

function pagesOf(ask: AskStore, questions: readonly PackageQuestion[]): Promise<FoundPage[]> {
  return Promise.all(questions.map((question) => findPage(question, ask, searchStore)));
}

function versionOf(rows: readonly (readonly SqlValue[])[]): string {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : '';
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
