import * as v from 'valibot';
import type { Finding } from '../conditions/condition.ts';
import { readNotes, removeNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** A condition is over once absent for this time, so that one that comes and goes causes only two notices. */
const CALM_MS = 10 * 60_000;

/** A condition that lasts is repeated after this time. */
const REPEAT_MS = 24 * 60 * 60_000;

const PREFIX = 'notice.';

const openNotice = v.object({
  key: v.string(),
  title: v.string(),
  text: v.string(),
  since: v.number(),
  /** Whether the first notice about the condition was sent. */
  isSent: v.boolean(),
  /** Whether a server began to send it. If that server has died, it may have been sent. */
  isBeingSent: v.optional(v.boolean(), false),
  /** When the condition ended; null while it lasts. */
  absentSince: v.nullable(v.number()),
  /** When the last notice about it was sent; null before the first. */
  sentAt: v.optional(v.nullable(v.number()), null),
  /** Until when an operator wants no notice about it; null: not silenced. */
  silentUntil: v.optional(v.nullable(v.number()), null),
});

/** A condition that was seen and is not yet over. */
export type OpenNotice = v.InferOutput<typeof openNotice>;

export type NoticeEvent = 'begun' | 'lasting' | 'over';

const NEW = {
  since: Number.POSITIVE_INFINITY,
  isSent: false,
  isBeingSent: false,
  sentAt: null,
  silentUntil: null,
};

/** Updates the known conditions, by key, from the current `conditions`. */
export function updated(
  open: ReadonlyMap<string, OpenNotice>,
  conditions: readonly Pick<Finding, 'key' | 'title' | 'text'>[],
  now: number,
): Map<string, OpenNotice> {
  const next = new Map<string, OpenNotice>();
  for (const { key, title, text } of conditions) {
    const { since, isSent, isBeingSent, sentAt, silentUntil } = open.get(key) ?? NEW;
    // A time in the future is from a clock that was ahead.
    const times = { since: Math.min(since, now), sentAt: sentAt && Math.min(sentAt, now), silentUntil };
    next.set(key, { key, title, text, ...times, isSent, isBeingSent, absentSince: null });
  }
  for (const [key, notice] of open) {
    if (!next.has(key)) next.set(key, { ...notice, absentSince: Math.min(notice.absentSince ?? now, now) });
  }
  return next;
}

/** The notice to send now, or null. 'forgotten': it ended, and its first notice was certainly not sent. */
export function dueEvent(notice: OpenNotice, graceMs: number, now: number): NoticeEvent | 'forgotten' | null {
  const { since, isSent, isBeingSent, absentSince, sentAt, silentUntil } = notice;
  if (absentSince === null) {
    if (now < (silentUntil ?? now)) return null;
    if (!isSent) return now - since >= graceMs ? 'begun' : null;
    // Releases up to 0.2.0 did not record when a notice was sent.
    return now - (sentAt ?? since) >= REPEAT_MS ? 'lasting' : null;
  }
  if (!isSent && !isBeingSent) return 'forgotten';
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
