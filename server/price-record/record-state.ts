import { fromDayNumber } from '../../domain/calendar-date.ts';
import { PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';
import { readNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { readFileOf, readRoots, readScoresText } from './record-table.ts';
import { readScores, type Score } from './scores.ts';
import { formatRoots, ROOTS_FILE, SCORES_FILE } from './verify-record.ts';

/** What `/price-record` shows. */
export interface RecordState {
  /** In order of days. */
  roots: { day: string; root: string }[];
  scores: Score[];
  /** Whether advice is off, because following it has not paid. */
  isAdviceOff: boolean;
}

/** Reads the price record. */
export interface PriceRecordApi {
  state(): Promise<RecordState>;
  /** The text of a file by its name, such as `2026-12-01.csv`; null if there is none. */
  file(name: string): Promise<string | null>;
}

/** Reads it in a thread. */
export function priceRecordIn(thread: WorkerThread): PriceRecordApi {
  return thread.part<PriceRecordApi>('price record', { methods: ['state', 'file'] }).api;
}

export function priceRecordReader(database: SqlDatabase): PriceRecordApi {
  const rootsOf = async () =>
    (await readRoots(database)).map(({ day, root }) => ({ day: fromDayNumber(day), root }));
  return {
    state: async () => ({
      roots: await rootsOf(),
      scores: readScores((await readScoresText(database)) ?? ''),
      isAdviceOff: (await readNote(database, PRICE_RECORD_WAITS)) === 'null',
    }),
    async file(name) {
      if (name === ROOTS_FILE) return formatRoots(await rootsOf());
      if (name === SCORES_FILE) return readScoresText(database);
      const [, day] = /^(\d{4}-\d{2}-\d{2})\.csv$/.exec(name) ?? [];
      const found = (await readRoots(database)).find((one) => fromDayNumber(one.day) === day);
      return found === undefined ? null : readFileOf(database, found.day);
    },
  };
}
