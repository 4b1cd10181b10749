import { gunzipSync } from 'node:zlib';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';
import { readNote } from '../storage/notes.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { formatScores, type Score } from './scores.ts';
import { formatRoots, ROOTS_FILE, SCORES_FILE } from './verify-record.ts';

/** The note with the scores as JSON. */
export const SCORES_NOTE = 'price_record.scores';

/** What `/price-record` shows: roots in order of days, scores, and whether advice is off as it has not paid. */
export interface RecordState {
  roots: { day: string; root: string }[];
  scores: Score[];
  isAdviceOff: boolean;
}

/** Reads the price record. */
export interface PriceRecordApi {
  state(): Promise<RecordState>;
  /** The text of a file by its name, such as `2026-12-01.csv`; null if there is none. */
  file(name: string): Promise<string | null>;
}

/** Reads the record in a thread. */
export function priceRecordIn(thread: WorkerThread): PriceRecordApi {
  return thread.part<PriceRecordApi>('price record', { methods: ['state', 'file'] }).api;
}

export function priceRecordReader(database: SqlSession): PriceRecordApi {
  async function state(): Promise<RecordState> {
    const rows = await database.prepare('select day, root from price_record order by day').rows();
    return {
      roots: rows.map(([day, root]) => ({ day: fromDayNumber(Number(day)), root: String(root) })),
      scores: JSON.parse((await readNote(database, SCORES_NOTE)) ?? '[]'),
      isAdviceOff: (await readNote(database, PRICE_RECORD_WAITS)) === 'null',
    };
  }
  async function file(name: string): Promise<string | null> {
    const { roots, scores } = await state();
    if (name === ROOTS_FILE) return formatRoots(roots);
    if (name === SCORES_FILE) return formatScores(scores);
    const root = roots.find(({ day }) => `${day}.csv` === name)?.root ?? '';
    const [bytes] = (await database.prepare('select file from price_record where root = ?').row(root)) ?? [];
    return bytes instanceof Uint8Array ? gunzipSync(bytes).toString('utf8') : null;
  }
  return { state, file };
}
