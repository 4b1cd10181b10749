import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import type { SqlDatabase, SqlInput, SqlStatement, SqlValue } from '../storage/sql-database.ts';
import type { Best } from './find-best-per-hotel.ts';
import { findPage } from './find-page.ts';
import { heldStates } from './held-states.ts';
import { offerConditions } from './offer-conditions.ts';
import type { Found, FoundPage, PackageQuestion, PackageRepository } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { AskStore, Departures } from './search-store.ts';
import { readRecordsOf } from './store-state.ts';
import { isWide } from './wide-window.ts';
import type { AskWideWindows, FoundElsewhere } from './wide-windows.ts';

/** How often a thread of its own is asked where imports keep swapping the store between the two. */
const MOST_ATTEMPTS = 3;

/** An embedded store on one connection. */
export interface SqlitePackageRepository extends PackageRepository {
  /** Answers questions for another thread: all that its answer is made of, in one state. */
  findFor(questions: readonly PackageQuestion[]): Promise<FoundElsewhere>;
}

/**
 * Searches over an open connection to the embedded store, which it owns and closes. Wide questions are asked in
 * another thread where there is one.
 */
export function sqlitePackageRepository(
  database: SqlDatabase,
  askWide: AskWideWindows | null = null,
): SqlitePackageRepository {
  const statements = new Map<string, SqlStatement>();
  const askNow = (sql: string, values: readonly SqlInput[]): SqlValue[][] => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement.rows(...values);
  };
  const ask: AskStore = async (sql, values) => askNow(sql, values);
  const version = cachedReferenceVersion(askNow);
  const states = heldStates();
  const { anyOf } = database;
  let reading = 0;

  /**
   * Does work in one state of the store. Nothing in it waits for anything but this connection, so all that goes on at
   * a time is over before the next turn of the event loop, and shares one transaction.
   */
  async function inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    if (reading === 0) database.beginReading();
    reading += 1;
    try {
      return await work();
    } finally {
      reading -= 1;
      // Nothing was written: this ends it, whatever has happened.
      if (reading === 0) database.rollback();
    }
  }

  const currentState = () => states.at(version(), ask);

  async function pagesOf(questions: readonly PackageQuestion[]): Promise<FoundPage[]> {
    const pages: FoundPage[] = [];
    for (const question of questions) {
      const page = await findPage(question, ask, (asked) => ({
        ask: asked,
        anyOf,
        departures: (one) => heldDepartures(asked, one),
        bestPerHotel: (one, departures) => bestDayByDay({ ask: asked, anyOf }, one, departures),
      }));
      pages.push(page);
    }
    return pages;
  }

  return {
    async search(questionsOf) {
      for (let attempt = 1; ; attempt += 1) {
        let wide: readonly PackageQuestion[] | null = null;
        const { state, pages } = await inSnapshot(async (): Promise<Found> => {
          const now = await currentState();
          const questions = questionsOf(now);
          if (askWide !== null && attempt <= MOST_ATTEMPTS && questions.some(isWide)) {
            wide = questions;
            return { state: now, pages: [] };
          }
          const found = await pagesOf(questions);
          await now.lookUp({ ask, anyOf }, offersOf(found));
          return { state: now, pages: found };
        });
        if (wide === null || askWide === null) return { state, pages };
        const found = await askWide(wide);
        if (found.version === state.version) {
          state.keep(found.records);
          return { state, pages: found.pages };
        }
      }
    },
    findFor: (questions) =>
      inSnapshot(async () => {
        const pages = await pagesOf(questions);
        const records = await readRecordsOf({ ask, anyOf }, offersOf(pages));
        return { version: version(), pages, records };
      }),
    async findByKey(keys) {
      const sql = `select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`;
      return inSnapshot(async () => keys.flatMap((key) => askNow(sql, key) as unknown as OfferRow[]));
    },
    state: () => inSnapshot(currentState),
    async referenceVersion() {
      return version();
    },
    async readNote(name) {
      const value = askNow('select value from note where name = ?', [name])[0]?.[0];
      return typeof value === 'string' ? value : null;
    },
    async close() {
      database.close();
    },
  };
}

function offersOf(pages: readonly FoundPage[]): OfferRow[] {
  return pages.flatMap(({ offers }) => offers);
}

/** The days and stays that the question allows and the store can have: a wide window is cut to what is there. */
async function heldDepartures(ask: AskStore, question: PackageQuestion): Promise<Departures> {
  const [held] = await ask(
    'select (select min(departure_day) from offer), (select max(departure_day) from offer)',
    [],
  );
  const [first, last] = held ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return { days: [], stays: [] };
  const from = Math.max(question.firstDay, first);
  const to = Math.min(question.lastDay, last);
  const rows = (await ask('select nights from stay order by nights', [])) as [number][];
  const stays = rows.map(([nights]) => nights);
  return {
    days: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    stays: question.nights === null ? stays : stays.filter((nights) => nights === question.nights),
  };
}

/** Hotel and rank of all that matches cross into JavaScript, a day at a time: grouping here is quicker than there. */
async function bestDayByDay(
  { ask, anyOf }: { ask: AskStore; anyOf: SqlDatabase['anyOf'] },
  question: PackageQuestion,
  { days, stays }: Departures,
): Promise<Best[]> {
  const best = new Map<number, Best>();
  for (const day of days) {
    const { sql, values } = offerConditions({ anyOf }, question, { days: [day], stays });
    const rows = await ask(`select hotel, ${RANK_SQL[question.sort]} from offer where ${sql}`, values);
    for (const [hotel, rank] of rows as [number, number][]) {
      const known = best.get(hotel);
      if (known === undefined) best.set(hotel, { hotel, rank, day });
      else if (rank < known.rank) {
        known.rank = rank;
        known.day = day;
      }
    }
  }
  return [...best.values()];
}

/** Asks for the version only after another connection wrote: `data_version` costs next to nothing. */
function cachedReferenceVersion(
  ask: (sql: string, values: readonly SqlInput[]) => SqlValue[][],
): () => string {
  let seen: unknown = null;
  let version = '';
  return () => {
    const written = ask('pragma data_version', [])[0]?.[0];
    if (written === seen) return version;
    const note = ask('select value from note where name = ?', [REFERENCE_VERSION])[0]?.[0];
    seen = written;
    version = typeof note === 'string' ? note : '';
    return version;
  };
}
