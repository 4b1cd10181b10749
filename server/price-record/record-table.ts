import { gunzipSync, gzipSync } from 'node:zlib';
import type { WaitRecord } from '../../domain/book-or-wait.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { PRICE_RECORD_ROOT, PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession, SqlValue } from '../storage/sql-database.ts';

/** A published day. Days count from 1970-01-01. */
export interface RecordedDay {
  day: number;
  root: string;
}

/** The note with the scores as CSV. */
const SCORES_NOTE = 'price_record.scores';

/** Every day's root, in order. */
export async function readRoots(database: SqlSession): Promise<RecordedDay[]> {
  const rows = await database.prepare('select day, root from price_record order by day').rows();
  return rows.map(([day, root]) => ({ day: Number(day), root: String(root) }));
}

export async function readLatest(database: SqlSession): Promise<RecordedDay | null> {
  const row = await database.prepare('select day, root from price_record order by day desc limit 1').row();
  return row === undefined ? null : { day: Number(row[0]), root: String(row[1]) };
}

/** The text of a day's file; null if there is none. */
export async function readFileOf(database: SqlSession, day: number): Promise<string | null> {
  const row = await database.prepare('select file from price_record where day = ?').row(day);
  return row === undefined ? null : textOf(row[0]);
}

/** The files from a day on, in order, one at a time. */
export async function* readFilesFrom(
  database: SqlSession,
  day: number,
): AsyncGenerator<{ day: string; text: string }> {
  for (const one of await readRoots(database)) {
    const text = one.day < day ? null : await readFileOf(database, one.day);
    if (text !== null) yield { day: fromDayNumber(one.day), text };
  }
}

export async function readScoresText(database: SqlSession): Promise<string | null> {
  return readNote(database, SCORES_NOTE);
}

/**
 * Publishes a day's file, with the scores and what has been learnt from it. Returns false, and writes nothing, if the
 * chain has grown since `previousRoot`.
 */
export function writeRecord(
  database: SqlDatabase,
  previousRoot: string | null,
  { day, root, text }: RecordedDay & { text: string },
  { scores, waits }: { scores: string; waits: Readonly<Record<string, WaitRecord>> | null },
): Promise<boolean> {
  return database.write('records', async (tx) => {
    if (((await readLatest(tx))?.root ?? null) !== previousRoot) return false;
    await tx
      .prepare('insert into price_record (day, root, file) values (?, ?, ?)')
      .run(day, root, gzipSync(text));
    await writeNote(tx, PRICE_RECORD_ROOT, root);
    await writeNote(tx, SCORES_NOTE, scores);
    await writeNote(tx, PRICE_RECORD_WAITS, JSON.stringify(waits));
    return true;
  });
}

function textOf(file: SqlValue | undefined): string {
  if (!(file instanceof Uint8Array)) throw new Error('A file of the price record has no text');
  return gunzipSync(file).toString('utf8');
}
