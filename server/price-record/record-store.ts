import { gunzipSync, gzipSync } from 'node:zlib';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { PRICE_RECORD_PLACES, PRICE_RECORD_ROOT, PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import { FIRST_ROOT } from './record-file.ts';
import { formatScores, type Score } from './scores.ts';
import { formatRoots, ROOTS_FILE, SCORES_FILE } from './verify-record.ts';

/** The note with the scores as JSON. */
const SCORES_NOTE = 'price_record.scores';

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
  return {
    state,
    async file(name) {
      const { roots, scores } = await state();
      if (name === ROOTS_FILE) return formatRoots(roots);
      if (name === SCORES_FILE) return formatScores(scores);
      const root = roots.find(({ day }) => `${day}.csv` === name)?.root ?? '';
      const file = (await database.prepare('select file from price_record where root = ?').row(root))?.[0];
      return file instanceof Uint8Array ? gunzipSync(file).toString('utf8') : null;
    },
  };
}

/** Publishes a day's file. Returns false, and writes nothing, if the chain has grown since `previousRoot`. */
export function writeRecord(
  database: SqlDatabase,
  previousRoot: string,
  { day, root, text }: { day: number; root: string; text: string },
  { scores, waits, places }: { scores: readonly Score[]; waits: object | null; places: object },
): Promise<boolean> {
  return database.write('records', async (tx) => {
    if (((await readNote(tx, PRICE_RECORD_ROOT)) ?? FIRST_ROOT) !== previousRoot) return false;
    const values = [day, root, gzipSync(text)];
    await tx.prepare('insert into price_record (day, root, file) values (?, ?, ?)').run(...values);
    await writeNote(tx, PRICE_RECORD_ROOT, root);
    await writeNote(tx, SCORES_NOTE, JSON.stringify(scores));
    await writeNote(tx, PRICE_RECORD_WAITS, JSON.stringify(waits));
    await writeNote(tx, PRICE_RECORD_PLACES, JSON.stringify(places));
    return true;
  });
}
