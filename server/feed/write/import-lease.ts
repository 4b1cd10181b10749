import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as v from 'valibot';
import { errorCode } from '../../lib/error-message.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/** In PostgreSQL, each provider has its own lease: its code follows the name. */
const LEASE = 'feed.lease';

/** A lease expires after this time unless renewed: its process may have been killed on another machine. */
const LEASE_MS = 120_000;
const RENEW_AFTER_MS = 20_000;

const lease = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    token: v.string(),
    provider: v.string(),
    since: v.number(),
    until: v.number(),
    process: v.number(),
    host: v.string(),
  }),
);

/** The lease expired and another process took it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The import made no progress for too long and another one took over; nothing was changed');
  }
}

/**
 * The lease for changing a provider's offers, or all offers of an embedded store. One import or removal has
 * it, across all machines.
 */
export interface ImportLease {
  /** Call it often; it rarely writes. Throws LeaseLost. */
  renew(): void;
  /** Throws LeaseLost. Call it within the transaction that writes. */
  check(): void;
  release(): void;
}

export type TakenLease =
  | { kind: 'lease'; lease: ImportLease }
  /** `until` is the expiry, in milliseconds since 1970. */
  | { kind: 'busy'; provider: string; by: string; since: number; until: number };

/** Takes the lease, unless another import or removal has it. */
export function takeLease(database: SqlDatabase, provider: string, now: () => number): TakenLease {
  const token = randomUUID();
  const name = database.engine === 'sqlite' ? LEASE : `${LEASE}.${provider}`;
  let writtenAt = now();

  function currentLease() {
    const note = readNote(database, name);
    return note === null ? null : v.parse(lease, note);
  }

  function write(since: number): void {
    writtenAt = now();
    const until = writtenAt + LEASE_MS;
    writeNote(
      database,
      name,
      JSON.stringify({ token, provider, since, until, process: process.pid, host: hostname() }),
    );
  }

  function check(): void {
    if (currentLease()?.token === token) return;
    throw new LeaseLost();
  }

  function busy(): TakenLease | null {
    const other = currentLease();
    if (other === null || other.until <= now() || isGone(other)) return null;
    return { kind: 'busy', ...other, by: `process ${other.process} on ${other.host}` };
  }

  // Checks first without a lock: a writing import locks the store for a long time.
  const found = busy();
  if (found !== null) return found;
  return inTransaction(database, (): TakenLease => {
    const other = busy();
    if (other !== null) return other;
    const since = now();
    write(since);
    return {
      kind: 'lease',
      lease: {
        renew() {
          if (now() - writtenAt < RENEW_AFTER_MS) return;
          inTransaction(database, () => {
            check();
            write(since);
          });
        },
        check,
        release() {
          inTransaction(database, () => {
            if (currentLease()?.token === token) removeNote(database, name);
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
