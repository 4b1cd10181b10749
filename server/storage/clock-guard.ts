import { readNote, writeNote } from './notes.ts';
import type { SqlSession } from './sql-database.ts';

// Deletions cannot be undone, so no old records are deleted while the clock may be wrong.

/** The machine's clocks, in milliseconds; tests supply others. */
export interface MachineClocks {
  /** Milliseconds since 1970. This clock may be set wrongly. */
  wall(): number;
  /** Milliseconds since an arbitrary start. This clock cannot be set. */
  steady(): number;
}

const MACHINE_CLOCKS: MachineClocks = { wall: () => Date.now(), steady: () => performance.now() };

/** The name of the note with the latest time that a server of this store accepted. */
const LAST_TIME = 'clock.last_time';

const A_MINUTE_MS = 60 * 1000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** After a longer gap, the clock may have been set ahead. */
const MAX_AHEAD_MS = 48 * AN_HOUR_MS;

/** Allows for small differences between servers' clocks. */
const MAX_BEHIND_MS = AN_HOUR_MS;

/** How often the note is renewed. */
const RENEW_EVERY_MS = 10 * A_MINUTE_MS;

/** How long a doubted clock must run steadily, and how far it may drift from the steady clock meanwhile. */
const EVEN_FOR_MS = AN_HOUR_MS;
const EVEN_WITHIN_MS = A_MINUTE_MS;

/** `wall` is the time now, `last` the time in the store's note. */
export type ClockVerdict = { kind: 'right'; wall: number } | { kind: 'doubted'; wall: number; last: number };

/** Compares a time with the store's note. It is right if at most two days later or an hour earlier. */
export async function checkClock(database: Pick<SqlSession, 'sql'>, wall: number): Promise<ClockVerdict> {
  const note = await readNote(database, LAST_TIME);
  const ahead = wall - Number(note ?? wall);
  const continues = ahead <= MAX_AHEAD_MS && ahead >= -MAX_BEHIND_MS;
  return continues ? { kind: 'right', wall } : { kind: 'doubted', wall, last: Number(note) };
}

/**
 * Checks this machine's clock and keeps the store's note up to date. Call the returned function every minute.
 * It accepts a doubted clock that has run steadily for an hour, unless another server has renewed the note.
 */
export function clockGuard(
  database: Pick<SqlSession, 'sql'>,
  clocks: MachineClocks = MACHINE_CLOCKS,
): () => Promise<ClockVerdict> {
  let doubt: { since: number; offset: number; last: number } | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function accept(wall: number, steady: number): Promise<ClockVerdict> {
    if (doubt !== null || steady - renewedAt >= RENEW_EVERY_MS) {
      await writeNote(database, LAST_TIME, String(wall));
      renewedAt = steady;
    }
    doubt = null;
    return { kind: 'right', wall };
  }

  return async () => {
    const [wall, steady] = [clocks.wall(), clocks.steady()];
    const verdict = await checkClock(database, wall);
    if (verdict.kind === 'right') return accept(wall, steady);
    const offset = wall - steady;
    const isSame =
      doubt !== null && doubt.last === verdict.last && Math.abs(offset - doubt.offset) <= EVEN_WITHIN_MS;
    if (!isSame || doubt === null) doubt = { since: steady, offset, last: verdict.last };
    return steady - doubt.since >= EVEN_FOR_MS ? await accept(wall, steady) : verdict;
  };
}
