import * as v from 'valibot';
import type { Finding } from '../conditions/condition.ts';
import { readNotes, removeNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** A condition is over once absent for this time, so that one that comes and goes causes only two notices. */
const CALM_MS = 10 * 60_000;

const PREFIX = 'notice.';

const openNotice = v.object({
  key: v.string(),
  title: v.string(),
  text: v.string(),
  since: v.number(),
  /** Whether the first notice about the condition was sent. */
  isSent: v.boolean(),
  /** When the condition ended; null while it lasts. */
  absentSince: v.nullable(v.number()),
});

/** A condition that was seen and is not yet over. */
export type OpenNotice = v.InferOutput<typeof openNotice>;

export type NoticeEvent = 'begun' | 'over';

/** Updates the known conditions, by key, from the current `conditions`. */
export function updated(
  open: ReadonlyMap<string, OpenNotice>,
  conditions: readonly Pick<Finding, 'key' | 'title' | 'text'>[],
  now: number,
): Map<string, OpenNotice> {
  const next = new Map<string, OpenNotice>();
  for (const { key, title, text } of conditions) {
    const { since, isSent } = open.get(key) ?? { since: now, isSent: false };
    // A time in the future is from a clock that was ahead.
    next.set(key, { key, title, text, since: Math.min(since, now), isSent, absentSince: null });
  }
  for (const [key, notice] of open) {
    if (!next.has(key)) next.set(key, { ...notice, absentSince: Math.min(notice.absentSince ?? now, now) });
  }
  return next;
}

/** The notice to send now, or null. 'forgotten': it ended before its first notice was sent. */
export function dueEvent(notice: OpenNotice, graceMs: number, now: number): NoticeEvent | 'forgotten' | null {
  const { since, isSent, absentSince } = notice;
  if (absentSince === null) return !isSent && now - since >= graceMs ? 'begun' : null;
  if (!isSent) return 'forgotten';
  return now - absentSince >= CALM_MS ? 'over' : null;
}

export async function readOpenNotices({ sql }: Pick<SqlDatabase, 'sql'>): Promise<Map<string, OpenNotice>> {
  const notices = (await readNotes({ sql }, PREFIX)).map(({ value }) =>
    v.parse(v.pipe(v.string(), v.parseJson(), openNotice), value),
  );
  return new Map(notices.map((notice) => [notice.key, notice]));
}

/** Saves the notice of a condition; removes it if `notice` is null. */
export async function saveNotice(
  database: Pick<SqlDatabase, 'sql'>,
  key: string,
  notice: OpenNotice | null,
): Promise<void> {
  if (notice === null) await removeNote(database, PREFIX + key);
  else await writeNote(database, PREFIX + key, JSON.stringify(notice));
}
