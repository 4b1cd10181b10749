import { randomUUID } from 'node:crypto';
import { errorMessage } from '../lib/error-message.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Condition, conditionsOfStore, storeUnavailable } from './conditions.ts';
import type { SendNotice } from './notice-sender.ts';
import { dueEvent, type OpenNotice, readOpenNotices, saveNotice, updated } from './notice-state.ts';

/** The note with the lease of the one server that notifies, and how long the lease lasts unless renewed. */
const LEASE = 'notices.lease';
const LEASE_MS = 150_000;

export interface NoticeRunOptions {
  /** Opens the store when it is first needed. Throws if the store does not respond. */
  openStore(): SqlDatabase;
  /** The current conditions of the settings and the machine, and the inputs for the store's conditions. */
  look(now: number): { conditions: Condition[]; providers: readonly string[]; feedLateMs: number };
  send: SendNotice;
  log(line: string): void;
  now(): number;
}

/** Returns a function that sends due notices. Call it each minute. */
export function noticeRuns({ openStore, look, send, log, now }: NoticeRunOptions) {
  const token = randomUUID();
  let database: SqlDatabase | null = null;
  /** The open notices as last read, because the store may not respond later. */
  let open = new Map<string, OpenNotice>();
  /** The keys of notices that are not yet saved in their current state. */
  const unsaved = new Set<string>();

  /** The store's conditions; null if another server notifies. */
  function conditionsInStore(
    at: number,
    providers: readonly string[],
    feedLateMs: number,
  ): Condition[] | null {
    try {
      database ??= openStore();
      if (!leads(database, token, at)) return null;
      for (const [key, notice] of readOpenNotices(database)) if (!unsaved.has(key)) open.set(key, notice);
      return conditionsOfStore(database, { now: at, providers, feedLateMs });
    } catch (error) {
      close();
      return [storeUnavailable(errorMessage(error))];
    }
  }

  async function run(): Promise<void> {
    const at = now();
    const { conditions: seen, providers, feedLateMs } = look(at);
    const found = conditionsInStore(at, providers, feedLateMs);
    if (found === null) {
      open = new Map();
      return;
    }
    const conditions = [...seen, ...found];
    const isStoreAway = found.some(({ key }) => key === 'store');
    const graces = new Map(conditions.map(({ key, graceMs }) => [key, graceMs]));
    const before = open;
    open = updated(before, conditions, at);
    for (const [key, notice] of open) {
      // While the store is unavailable, nothing is known about its conditions.
      if (isStoreAway && !graces.has(key)) open.set(key, { ...notice, absentSince: null });
      if (!isSame(before.get(key), open.get(key))) unsaved.add(key);
      await settle(key, graces.get(key) ?? 0, at);
    }
    save();
  }

  async function settle(key: string, graceMs: number, at: number): Promise<void> {
    const notice = open.get(key);
    const event = notice === undefined ? null : dueEvent(notice, graceMs, at);
    if (notice === undefined || event === null) return;
    try {
      if (event !== 'forgotten') await send(event, notice, at);
    } catch (error) {
      log(`The notice '${notice.title}' could not be sent, and will be retried: ${errorMessage(error)}`);
      return;
    }
    unsaved.add(key);
    if (event === 'begun') open.set(key, { ...notice, isSent: true });
    else open.delete(key);
  }

  function save(): void {
    if (database === null) return;
    try {
      for (const key of unsaved) {
        saveNotice(database, key, open.get(key) ?? null);
        unsaved.delete(key);
      }
    } catch (error) {
      log(`The state of notices could not be saved, and will be retried: ${errorMessage(error)}`);
    }
  }

  function close(): void {
    try {
      database?.close();
    } catch {}
    database = null;
  }

  return { run, close };
}

/** Whether this server is the one that notifies. An embedded store has only one server. */
function leads(database: SqlDatabase, token: string, now: number): boolean {
  if (database.engine === 'sqlite') return true;
  return inTransaction(database, () => {
    const [holder, until] = readNote(database, LEASE)?.split(' ') ?? [];
    if (holder !== undefined && holder !== token && Number(until) > now) return false;
    writeNote(database, LEASE, `${token} ${now + LEASE_MS}`);
    return true;
  });
}

function isSame(one: OpenNotice | undefined, other: OpenNotice | undefined): boolean {
  return one?.isSent === other?.isSent && one?.absentSince === other?.absentSince;
}
