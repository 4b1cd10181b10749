import { readNote, writeNote } from './notes.ts';
import type { SqlDatabase } from './sql-database.ts';

// Nothing is deleted with age by a clock that may be wrong: what was deleted by mistake never comes back.

/** The machine's clocks, in milliseconds, so that a test can supply others. */
export interface MachineClocks {
  /** Since 1970: what somebody may set wrongly. */
  wall(): number;
  /** Since an arbitrary start: nobody can set it. */
  steady(): number;
}

const MACHINE_CLOCKS: MachineClocks = { wall: () => Date.now(), steady: () => performance.now() };

/** The note with the latest time that the servers of a store took for right. */
const LAST_TIME = 'clock.last_time';

const A_MINUTE_MS = 60 * 1000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** A store that nobody served for longer cannot be told from a clock that was set ahead. */
const MOST_AHEAD_MS = 48 * AN_HOUR_MS;

/** The clocks of several servers differ a little. */
const MOST_BEHIND_MS = AN_HOUR_MS;

/** How often the note is renewed. A server with another time than the others sees that they go on. */
const RENEW_EVERY_MS = 10 * A_MINUTE_MS;

/** How long a doubted clock must run evenly, and by how much it may then differ from the one that nobody can set. */
const EVEN_FOR_MS = AN_HOUR_MS;
const EVEN_WITHIN_MS = A_MINUTE_MS;

/** `wall`: the time that was looked at; `last`: the one that the store remembers. */
export type ClockVerdict = { kind: 'right'; wall: number } | { kind: 'doubted'; wall: number; last: number };

/**
 * Whether a time continues the one that the store remembers: at most two days later, at most an hour earlier. A store
 * that remembers none, such as a new one, has no reason to doubt.
 */
export function checkClock(database: Pick<SqlDatabase, 'sql'>, wall: number): ClockVerdict {
  const note = readNote(database, LAST_TIME);
  const ahead = wall - Number(note ?? wall);
  const continues = ahead <= MOST_AHEAD_MS && ahead >= -MOST_BEHIND_MS;
  return continues ? { kind: 'right', wall } : { kind: 'doubted', wall, last: Number(note) };
}

/**
 * Watches the clock of this machine and keeps the store's note up to date. Call the result every minute. A doubted clock
 * is right after it has run evenly for an hour, if no other server has renewed the note meanwhile.
 */
export function clockGuard(
  database: Pick<SqlDatabase, 'sql'>,
  clocks: MachineClocks = MACHINE_CLOCKS,
): () => ClockVerdict {
  let doubt: { since: number; offset: number; last: number } | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  function accept(wall: number, steady: number): ClockVerdict {
    if (doubt !== null || steady - renewedAt >= RENEW_EVERY_MS) {
      writeNote(database, LAST_TIME, String(wall));
      renewedAt = steady;
    }
    doubt = null;
    return { kind: 'right', wall };
  }

  return () => {
    const [wall, steady] = [clocks.wall(), clocks.steady()];
    const verdict = checkClock(database, wall);
    if (verdict.kind === 'right') return accept(wall, steady);
    const offset = wall - steady;
    const isSame =
      doubt !== null && doubt.last === verdict.last && Math.abs(offset - doubt.offset) <= EVEN_WITHIN_MS;
    if (!isSame || doubt === null) doubt = { since: steady, offset, last: verdict.last };
    return steady - doubt.since >= EVEN_FOR_MS ? accept(wall, steady) : verdict;
  };
}
