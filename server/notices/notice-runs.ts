import { randomUUID } from 'node:crypto';
import { type Finding, problemsOf } from '../conditions/condition.ts';
import { conditionsOfStore } from '../conditions/store-conditions.ts';
import { STORE_DOWN } from '../conditions/store-down.ts';
import type { StateSources } from '../feed/provider-states.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SendNotice } from './notice-sender.ts';
import { dueEvent, type OpenNotice, readOpenNotices, saveNotice, updated } from './notice-state.ts';

/** The note with the lease of the one server that notifies, and how long the lease lasts unless renewed. */
const LEASE = 'notices.lease';
const LEASE_MS = 150_000;
const MAX_LEASE_MS = 60 * 60_000;

type Seen = { conditions: readonly Finding[] } & Omit<StateSources, 'now'>;

export interface NoticeRunOptions {
  /** Opens the store when it is first needed. Throws if the store does not respond. */
  openStore(): Promise<SqlDatabase>;
  /** The current conditions of the settings and the machine, and the inputs for the store's conditions. */
  look(now: number): Seen | Promise<Seen>;
  send: SendNotice;
  log(line: string): void;
  now(): number;
}

/**
 * Returns a function that sends due notices. Call it each minute. It compares the present conditions with the notices
 * sent: no feature sends notices itself, so none can forget to say that a problem is over. The server with the lease
 * sends them; a machine that fails sends nothing, so another has to watch `/readyz`.
 */
export function noticeRuns({ openStore, look, send, log, now }: NoticeRunOptions) {
  const token = randomUUID();
  let database: SqlDatabase | null = null;
  /** The open notices as last read, because the store may not respond later. */
  let open = new Map<string, OpenNotice>();
  /** The keys of notices that are not yet saved in their current state. */
  const unsaved = new Set<string>();

  /** The store's conditions; null if another server notifies. */
  async function conditionsInStore(sources: StateSources): Promise<Finding[] | null> {
    try {
      database ??= await openStore();
      const isLeader = await leads(database, token, sources.now);
      const saved = await readOpenNotices(database);
      if (!isLeader) {
        open = saved;
        unsaved.clear();
        return null;
      }
      for (const [key, notice] of saved) if (!unsaved.has(key)) open.set(key, notice);
      return await conditionsOfStore(database, sources);
    } catch (error) {
      await close();
      return problemsOf([STORE_DOWN], { storeFault: errorMessage(error) });
    }
  }

  async function run(): Promise<void> {
    const at = now();
    const { conditions: seen, ...sources } = await look(at);
    const found = await conditionsInStore({ ...sources, now: at });
    if (found === null) return;
    const conditions = [...seen, ...found].filter(({ graceMs }) => graceMs !== null);
    const isStoreAway = found.some(({ key }) => key === 'store');
    const graces = new Map(conditions.map(({ key, graceMs }) => [key, graceMs]));
    const before = open;
    open = updated(before, conditions, at);
    for (const [key, notice] of open) {
      // While the store or providers.json cannot be read, nothing is known about these conditions.
      const isUnknown =
        !graces.has(key) && (isStoreAway || (sources.providers === null && key.startsWith('feed ')));
      if (isUnknown) open.set(key, { ...notice, absentSince: null });
      if (!isSame(before.get(key), open.get(key))) unsaved.add(key);
      if (!isUnknown) await settle(key, graces.get(key) ?? 0, at);
    }
    await save();
  }

  async function settle(key: string, graceMs: number, at: number): Promise<void> {
    const notice = open.get(key);
    const event = notice === undefined ? null : dueEvent(notice, graceMs, at);
    if (notice === undefined || event === null) return;
    // If the server dies before it saves that this was sent, it still notifies of the condition's end.
    if (event === 'begun') await saveOne(key, { ...notice, isBeingSent: true });
    unsaved.add(key);
    try {
      if (event !== 'forgotten') await send(event, notice, at);
    } catch (error) {
      log(`The notice '${notice.title}' could not be sent, and will be retried: ${errorMessage(error)}`);
      return;
    }
    if (event === 'begun' || event === 'lasting')
      open.set(key, { ...notice, isSent: true, isBeingSent: false, sentAt: at });
    else open.delete(key);
  }

  async function save(): Promise<void> {
    for (const key of unsaved) if (!(await saveOne(key, open.get(key) ?? null))) return;
  }

  /** Returns false if it could not be saved. */
  async function saveOne(key: string, notice: OpenNotice | null): Promise<boolean> {
    if (database === null) return false;
    try {
      await saveNotice(database, key, notice);
      unsaved.delete(key);
      return true;
    } catch (error) {
      log(`The state of notices could not be saved, and will be retried: ${errorMessage(error)}`);
      return false;
    }
  }

  async function close(): Promise<void> {
    try {
      await database?.close();
    } catch {}
    database = null;
  }

  return { run, close };
}

/** Whether this server is the one that notifies. An embedded store has only one server. */
async function leads(database: SqlDatabase, token: string, now: number): Promise<boolean> {
  if (database.engine === 'sqlite') return true;
  return database.write('records', async (tx) => {
    const [holder, until] = (await readNote(tx, LEASE))?.split(' ') ?? [];
    // A lease that ends later was written by a clock that was ahead.
    const isValid = Number(until) > now && Number(until) < now + MAX_LEASE_MS;
    if (holder !== undefined && holder !== token && isValid) return false;
    await writeNote(tx, LEASE, `${token} ${now + LEASE_MS}`);
    return true;
  });
}

function isSame(one: OpenNotice | undefined, other: OpenNotice | undefined): boolean {
  return (
    one?.since === other?.since &&
    one?.sentAt === other?.sentAt &&
    one?.isSent === other?.isSent &&
    one?.absentSince === other?.absentSince
  );
}
