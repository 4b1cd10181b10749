import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errorCode } from '../../lib/error-message.ts';
import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { isStoreLocked } from '../../storage/store-locked.ts';

/** Before a provider's code, its lease; before a number, a lease for writing. */
const LEASE = 'feed.lease.';

/** How many imports may write at the same time. */
const WRITERS = { sqlite: 1, postgresql: 2 };

/** A lease expires after this time unless renewed: its process may have been killed on another machine. */
const LEASE_MS = 120_000;
const RENEW_AFTER_MS = 20_000;

/** How often a process that waits for a lease tries to take it. */
export const LEASE_POLL_MS = 1_000;

/** A lease that ends later than this was written by a clock that was ahead. Servers' clocks may differ a little. */
const MAX_LEASE_MS = 60 * 60_000;

/** What a lease's note says. */
interface LeaseNote {
  token: string;
  provider: string;
  since: number;
  until: number;
  process: number;
  host: string;
}

/** The lease expired and another process took it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The import made no progress for too long and another one took over; nothing was changed');
  }
}

/** The right to fetch a provider's feed or to change its offers, across all machines. */
export interface ImportLease {
  /** Call it often; it rarely writes. Throws LeaseLost. */
  renew(): Promise<void>;
  /** Throws LeaseLost. Call it within the transaction that writes. */
  check(tx: SqlSession): Promise<void>;
  release(): Promise<void>;
}

export type TakenLease =
  | { kind: 'lease'; lease: ImportLease }
  /** `until` is the expiry, in milliseconds since 1970. */
  | { kind: 'busy'; provider: string; by: string; since: number; until: number };

/** Takes a provider's lease, unless another process has it. */
export async function takeLease(
  database: SqlDatabase,
  provider: string,
  now: () => number,
): Promise<TakenLease> {
  return takeNamed(database, LEASE + provider, provider, now);
}

/** Runs `work` when the owner of a provider's lease may also write: the number of simultaneous writers is limited. */
export async function whileWriting<T>(
  database: SqlDatabase,
  provider: string,
  { lease: feed, now, pause, onWait }: WritingOptions,
  work: (lease: ImportLease) => Promise<T>,
): Promise<T> {
  for (;;) {
    for (let nth = 0; nth < WRITERS[database.engine]; nth += 1) {
      const store = await takeUnlessLocked(() => takeNamed(database, `${LEASE}${nth}`, provider, now));
      if (store?.kind !== 'lease') continue;
      const lease = bothLeases(feed, store.lease);
      try {
        return await work(lease);
      } finally {
        await releaseQuietly(store.lease);
      }
    }
    onWait();
    await pause(LEASE_POLL_MS);
    await feed.renew();
  }
}

interface WritingOptions {
  lease: ImportLease;
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
  onWait: () => void;
}

/** Null: a writing import has locked the store. */
export async function takeUnlessLocked(take: () => Promise<TakenLease>): Promise<TakenLease | null> {
  try {
    return await take();
  } catch (error) {
    if (isStoreLocked(error)) return null;
    throw error;
  }
}

/** The work is done: if a lease cannot be released, it expires. */
export async function releaseQuietly(lease: ImportLease): Promise<void> {
  try {
    await lease.release();
  } catch {}
}

function bothLeases(feed: ImportLease, store: ImportLease): ImportLease {
  const each = async (act: (lease: ImportLease) => Promise<void>) => {
    for (const lease of [feed, store]) await act(lease);
  };
  return {
    renew: () => each((lease) => lease.renew()),
    check: (tx) => each((lease) => lease.check(tx)),
    release: () => each((lease) => lease.release()),
  };
}

async function takeNamed(
  database: SqlDatabase,
  name: string,
  provider: string,
  now: () => number,
): Promise<TakenLease> {
  const token = randomUUID();
  let writtenAt = now();

  async function currentLease(session: SqlSession) {
    const note = await readNote(session, name);
    return note === null ? null : (JSON.parse(note) as LeaseNote);
  }

  async function write(tx: SqlSession, since: number): Promise<void> {
    writtenAt = now();
    const until = writtenAt + LEASE_MS;
    const note: LeaseNote = { token, provider, since, until, process: process.pid, host: hostname() };
    await writeNote(tx, name, JSON.stringify(note));
  }

  async function check(tx: SqlSession): Promise<void> {
    if ((await currentLease(tx))?.token === token) return;
    throw new LeaseLost();
  }

  async function busy(session: SqlSession): Promise<TakenLease | null> {
    const other = await currentLease(session);
    if (other === null || other.until <= now() || other.until > now() + MAX_LEASE_MS || isGone(other))
      return null;
    return { kind: 'busy', ...other, by: `process ${other.process} on ${other.host}` };
  }

  // Checks first without a lock: a writing import locks the store for a long time.
  const found = await busy(database);
  if (found !== null) return found;
  return database.write('records', async (tx): Promise<TakenLease> => {
    const other = await busy(tx);
    if (other !== null) return other;
    const since = now();
    await write(tx, since);
    return {
      kind: 'lease',
      lease: {
        async renew() {
          if (Math.abs(now() - writtenAt) < RENEW_AFTER_MS) return;
          try {
            await database.write('records', (tx) => check(tx).then(() => write(tx, since)), 0);
          } catch (error) {
            // A download must not wait for an import that has locked the store.
            if (!isStoreLocked(error)) throw error;
          }
        },
        check,
        async release() {
          await database.write('records', async (tx) => {
            if ((await currentLease(tx))?.token === token) await removeNote(tx, name);
          });
        },
      },
    };
  });
}

/** Whether the process has certainly ended; false for other machines. */
function isGone({ process: pid, host }: { process: number; host: string }): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
