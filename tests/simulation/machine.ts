import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { RequestOptions } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { Readable, Writable } from 'node:stream';
import { seeded } from '../fixtures/alerts/seeded.ts';

// The simulated machine: it replaces the time, the disk's faults, the network and the processes that Node offers,
// so that the product runs unchanged. Import it, and call `startMachine`, before anything of the product.

/** A simulated process of the product: the server, or a command. */
export interface SimProcess {
  pid: number;
  name: string;
  isDead: boolean;
  /** The statements, file operations and requests left before it dies; null: it lives. */
  dieAfter: number | null;
  connections: Set<DatabaseSync>;
  onDeath: (() => void)[];
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

interface Timer {
  id: number;
  at: number;
  everyMs: number | null;
  run: () => void;
  owner: SimProcess | null;
  /** The idle clock never skips an event of the world. */
  isWorlds: boolean;
}

/** What a simulated server does with a request, after `delayMs`. */
export interface SimReply {
  delayMs: number;
  /** `lost` breaks the connection after the body; `hangs` sends no more of it, and `drips` only very slowly. */
  end: 'whole' | 'lost' | 'hangs' | 'drips';
  /** 0: no response at all. */
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const OK: SimReply = { delayMs: 10, end: 'whole', status: 200, headers: {}, body: '' };
/** The connection breaks before a response. */
export const LOST: SimReply = { delayMs: 1, end: 'lost', status: 0, headers: {}, body: '' };

export type SimNetwork = (url: URL, options: RequestOptions, body: string) => SimReply;

const builtin = (name: string) =>
  process.getBuiltinModule(name as 'node:fs') as unknown as Record<string, never>;
const context = new AsyncLocalStorage<SimProcess>();
const real = { setImmediate, Date };

export const machine = {
  /** The steady clock, in ms; what the wall clock shows in addition, and how much of that is wrong. */
  steady: 0,
  wallOffset: 0,
  wallError: 0,
  timers: new Map<number, Timer>(),
  processes: new Map<number, SimProcess>(),
  /** Whether writes fail because the disk is full: each, or in a transaction only its commit. */
  isDiskFull: false,
  isFullAtCommit: false,
  /** Requests without a response yet. */
  openRequests: 0,
  /** Changes whenever the product does something that others can see. */
  activity: 0,
  /** The tables that committed writes have changed. The observer removes those that it has compared. */
  written: new Set<string>(),
  network: (() => LOST) as SimNetwork,
  /** What the wall clock shows, and the right time: that of the world's servers and people. */
  now: () => Math.floor(machine.steady + machine.wallOffset),
  trueNow: () => machine.now() - machine.wallError,
  seed: 1,
  random: seeded(1),
};

let lastTimer = 0;
let lastPid = 1_000;
let pendingImmediates = 0;

function addTimer(ms: number, run: () => void, everyMs: number | null = null, isWorlds = false): Timer {
  const wait = Math.max(1, Number.isFinite(Number(ms)) ? Number(ms) : 1);
  const inContext = AsyncLocalStorage.snapshot();
  const owner = isWorlds ? null : (context.getStore() ?? null);
  const at = machine.steady + wait;
  const timer = { id: ++lastTimer, at, everyMs, run: () => inContext(run), owner, isWorlds };
  machine.timers.set(timer.id, timer);
  return timer;
}

/** An event of the world, which happens at its exact time. */
export function worldAfter(ms: number, run: () => void): void {
  addTimer(ms, () => context.exit(run), null, true);
}

/** Fires what is due: the world's events, and unless the product is asleep its timers. */
export function fireDue(isAwake: boolean): void {
  for (;;) {
    let next: Timer | null = null;
    for (const timer of machine.timers.values())
      if (timer.at <= machine.steady && (isAwake || timer.isWorlds) && (next === null || timer.at < next.at))
        next = timer;
    if (next === null) return;
    // A machine that was busy runs a missed interval once.
    if (next.everyMs !== null && next.owner?.isDead !== true) next.at = machine.steady + next.everyMs;
    else machine.timers.delete(next.id);
    if (next.owner?.isDead !== true) next.run();
  }
}

/** Lets the product run until it waits for time or the network. */
export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await new Promise<void>((resolve) => real.setImmediate(resolve));
    if (pendingImmediates > 0) quiet = -1;
  }
}

/** Runs a process until it ends or dies. Null: it died. */
export function spawnProcess<T>(name: string, main: () => Promise<T>, dieAfter: number | null = null) {
  const own: SimProcess = {
    pid: ++lastPid,
    name,
    isDead: false,
    dieAfter,
    connections: new Set(),
    onDeath: [],
  };
  machine.processes.set(own.pid, own);
  const { promise: died, resolve } = Promise.withResolvers<null>();
  own.onDeath.push(() => resolve(null));
  const ended = context
    .exit(() => context.run(own, main))
    .then(
      (result) => (own.isDead ? null : result),
      (error: unknown) => {
        if (own.isDead) return null;
        throw error;
      },
    );
  return { process: own, ended: Promise.race([ended, died]) };
}

/** Ends a process: its connections roll back, and nothing of it runs or has an effect any more. */
export function killProcess(own: SimProcess): void {
  if (own.isDead) return;
  own.isDead = true;
  machine.activity += 1;
  machine.processes.delete(own.pid);
  for (const connection of own.connections) if (connection.isOpen) connection.close();
  for (const [id, { owner }] of machine.timers) if (owner === own) machine.timers.delete(id);
  for (const tell of own.onDeath) tell();
}

/** Runs work inside a process, as a request to it does. Rejects if the process dies. */
export function inProcess<T>(own: SimProcess, work: () => Promise<T>): Promise<T> {
  const { promise: died, reject } = Promise.withResolvers<never>();
  own.onDeath.push(() => reject(new ProcessDied(own.name)));
  return Promise.race([context.run(own, work), died]);
}

/** Removes a process that has ended by itself. */
export function endProcess(own: SimProcess): void {
  machine.processes.delete(own.pid);
}

/** A place where the current process may die, or the disk refuse to write. */
function step(isWrite: boolean): void {
  const own = context.getStore();
  if (own === undefined) return;
  if (own.dieAfter !== null && own.dieAfter-- <= 0) killProcess(own);
  if (own.isDead) throw new ProcessDied(own.name);
  if (isWrite && machine.isDiskFull)
    throw Object.assign(new Error('database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
      errstr: 'database or disk is full',
    });
}

/** Replaces what Node offers. `startAt`: ms since 1970. */
export function startMachine(seed: number, startAt: number): void {
  machine.wallOffset = startAt;
  machine.seed = seed;
  machine.random = seeded(seed);
  replaceTime();
  replaceRandomness();
  replaceFiles();
  replaceStore();
  replaceNetwork();
  Object.defineProperty(process, 'pid', { get: () => context.getStore()?.pid ?? 1 });
  process.kill = ((pid: number) => {
    if (machine.processes.has(pid)) return true;
    throw Object.assign(new Error('No such process'), { code: 'ESRCH' });
  }) as typeof process.kill;
  syncBuiltinESMExports();
  // A dead process handles nothing any more.
  process.on('unhandledRejection', (error) => {
    if (!(error instanceof ProcessDied)) throw error;
  });
}

function replaceTime(): void {
  const RealDate = real.Date;
  class SimDate extends RealDate {
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(machine.now());
      else super(...given);
    }
    static override now = () => machine.now();
  }
  const set = (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) =>
    handleOf(addTimer(ms, () => run(...given)));
  const every = (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) =>
    handleOf(addTimer(ms, () => run(...given), ms));
  const clear = (handle: { id: number } | undefined) => void machine.timers.delete(handle?.id ?? 0);
  const immediately = (run: (...given: unknown[]) => void, ...given: unknown[]) => {
    pendingImmediates += 1;
    return real.setImmediate(() => {
      pendingImmediates -= 1;
      run(...given);
    });
  };
  const globals = { setTimeout: set, setInterval: every, clearTimeout: clear, clearInterval: clear };
  Object.assign(globalThis, globals, { Date: SimDate, setImmediate: immediately });
  Object.assign(builtin('node:timers'), globals, { setImmediate: immediately });
  Object.assign(builtin('node:timers/promises'), {
    setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          if (machine.timers.delete(timer.id)) reject(signal?.reason);
        };
        const timer = addTimer(ms, () => {
          signal?.removeEventListener('abort', abort);
          resolve(value);
        });
        signal?.addEventListener('abort', abort);
      }),
    setImmediate: (value: unknown) => new Promise((resolve) => immediately(() => resolve(value))),
  });
  Object.defineProperty(performance, 'now', { value: () => machine.steady });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    addTimer(ms, () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')));
    return controller.signal;
  };
}

function handleOf({ id }: Timer) {
  const handle = { id, ref: () => handle, unref: () => handle, hasRef: () => false, refresh: () => handle };
  return handle;
}

function replaceRandomness(): void {
  const bytes = (size: number) =>
    Buffer.from(Array.from({ length: size }, () => Math.floor(machine.random() * 256)));
  Object.assign(builtin('node:crypto'), {
    randomBytes: bytes,
    randomUUID: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    randomInt: (least: number, most?: number) =>
      most === undefined
        ? Math.floor(machine.random() * least)
        : least + Math.floor(machine.random() * (most - least)),
  });
  Math.random = () => machine.random();
}

const WRITING_FILES = ['writeFileSync', 'linkSync', 'copyFileSync', 'renameSync', 'mkdtempSync'];
const OTHER_FILES = ['rmSync', 'unlinkSync', 'mkdirSync', 'readdirSync'];

/** Files are read and written synchronously, because the system's threads finish in any order. */
function replaceFiles(): void {
  const fs = builtin('node:fs') as unknown as typeof import('node:fs');
  const { openSync, writeSync, closeSync, readFileSync } = fs;
  for (const name of [...WRITING_FILES, ...OTHER_FILES]) {
    const files = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
    const own = files[name];
    files[name] = (...given) => {
      step(WRITING_FILES.includes(name));
      return own?.(...given);
    };
  }
  Object.assign(fs, {
    createWriteStream: (
      path: string,
      { flags = 'w', mode = 0o666 }: { flags?: string; mode?: number } = {},
    ) => {
      let file = -1;
      return new Writable({
        construct(done) {
          file = openSync(path, flags, mode);
          done();
        },
        write(chunk: Buffer, _encoding, done) {
          try {
            step(true);
            writeSync(file, chunk);
            done();
          } catch (error) {
            done(error as Error);
          }
        },
        destroy(error, done) {
          closeSync(file);
          done(error);
        },
      });
    },
    createReadStream: (
      path: string,
      { start = 0, end = Infinity }: { start?: number; end?: number } = {},
    ) => {
      const bytes = readFileSync(path).subarray(start, end === Infinity ? undefined : end + 1);
      return Object.assign(Readable.from(bytes.length === 0 ? [] : [bytes]), { bytesRead: bytes.length });
    },
  });
}

const WRITES = /^\s*(?:insert|update|delete|create|begin immediate|commit)/i;
const TABLE = /^\s*(?:insert\b[\s\w]*? into|update|delete from)\s+(?:main\.)?(\w+)/i;

/** Changes prototypes, because imports of `node:sqlite` keep its class. */
function replaceStore(): void {
  const sqlite = builtin('node:sqlite') as unknown as typeof import('node:sqlite');
  const { exec, prepare, close } = sqlite.DatabaseSync.prototype;
  const connectionOf = new WeakMap<object, DatabaseSync>();
  const uncommitted = new WeakMap<DatabaseSync, Set<string>>();
  const noteWrite = (connection: DatabaseSync | undefined, sql: string) => {
    const table = TABLE.exec(sql)?.[1];
    if (table === undefined || connection === undefined) return;
    if (!connection.isTransaction) machine.written.add(table);
    else if (uncommitted.get(connection)?.add(table) === undefined)
      uncommitted.set(connection, new Set([table]));
  };
  /** Whether a full disk fails the next statement. */
  const isFull = (connection: DatabaseSync | undefined) =>
    !machine.isFullAtCommit || connection?.isTransaction !== true;
  Object.assign(sqlite.DatabaseSync.prototype, {
    exec(this: DatabaseSync, sql: string): void {
      context.getStore()?.connections.add(this);
      if (sql.startsWith('begin')) step(false);
      else if (sql !== 'rollback') step(sql === 'commit' || (WRITES.test(sql) && isFull(this)));
      exec.call(this, sql);
      noteWrite(this, sql);
      if (sql !== 'commit' && sql !== 'rollback') return;
      if (sql === 'commit') {
        machine.activity += 1;
        for (const table of uncommitted.get(this) ?? []) machine.written.add(table);
      }
      uncommitted.delete(this);
    },
    prepare(this: DatabaseSync, sql: string) {
      const statement = prepare.call(this, sql);
      connectionOf.set(statement, this);
      return statement;
    },
    close(this: DatabaseSync): void {
      context.getStore()?.connections.delete(this);
      if (this.isOpen) close.call(this);
    },
  });
  const statement = sqlite.StatementSync.prototype as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const isWrite = new WeakMap<object, boolean>();
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const own = statement[name];
    statement[name] = function (this: { sourceSQL: string }, ...given: unknown[]) {
      let writes = isWrite.get(this);
      if (writes === undefined) {
        writes = WRITES.test(this.sourceSQL);
        isWrite.set(this, writes);
      }
      const connection = connectionOf.get(this);
      step(writes && isFull(connection));
      if (writes) noteWrite(connection, this.sourceSQL);
      return own?.apply(this, given);
    };
  }
}

function replaceNetwork(): void {
  const request = (target: URL | string, options: RequestOptions) => new SimRequest(new URL(target), options);
  Object.assign(builtin('node:https'), { request });
  Object.assign(builtin('node:http'), { request });
  globalThis.fetch = simFetch as typeof fetch;
}

/** Throws a `TypeError` if the connection is lost, as Node does. */
function simFetch(url: URL | string, { headers, signal, body }: RequestInit = {}): Promise<Response> {
  const fault = (cause: Error): unknown =>
    signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause });
  return new Promise((resolve, reject) => {
    const options = { headers: headers as Record<string, string>, ...(signal ? { signal } : {}) };
    const request = new SimRequest(new URL(url), options);
    request.on('error', (error: Error) => reject(fault(error)));
    request.on('response', (response: Readable & { statusCode: number; headers: Record<string, string> }) => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          response.on('data', (chunk: Buffer) => controller.enqueue(chunk));
          response.on('end', () => controller.close());
          response.on('error', (error: Error) => controller.error(fault(error)));
        },
        cancel: () => void response.destroy(),
      });
      const { statusCode: status } = response;
      resolve(new Response(status === 304 ? null : stream, { status, headers: response.headers }));
    });
    request.end(body as string | undefined);
  });
}

/** A `ClientRequest` to the simulated network. */
class SimRequest extends EventEmitter {
  readonly #url: URL;
  readonly #options: RequestOptions;
  /** Sent, and waiting for its response. */
  #isOpen = false;
  #isOver = false;
  #response: Readable | null = null;

  constructor(url: URL, options: RequestOptions) {
    super();
    step(false);
    this.#url = url;
    this.#options = options;
    const { signal } = options;
    const abort = () =>
      this.destroy(Object.assign(new Error('The operation was aborted'), { code: 'ABORT_ERR' }));
    signal?.addEventListener('abort', abort);
    // Node keeps a signal that has a listener until it aborts, which that of a dead process never does.
    context.getStore()?.onDeath.push(() => {
      signal?.removeEventListener('abort', abort);
      this.#finish();
    });
  }

  #finish(): void {
    if (this.#isOpen) machine.openRequests -= 1;
    this.#isOpen = false;
    this.#isOver = true;
  }

  destroy(error: Error = new Error('socket hang up')): void {
    if (this.#isOver && this.#response === null) return;
    this.#finish();
    if (this.#response === null) this.emit('error', error);
    else if (!this.#response.destroyed) this.#response.destroy(error);
  }

  end(body?: string | Uint8Array): void {
    if (this.#isOver) return;
    this.#isOpen = true;
    machine.openRequests += 1;
    machine.activity += 1;
    const inContext = AsyncLocalStorage.snapshot();
    const {
      delayMs,
      end,
      status,
      headers,
      body: text,
    } = machine.network(
      this.#url,
      this.#options,
      body === undefined ? '' : Buffer.from(body as Uint8Array).toString('utf8'),
    );
    const after = (ms: number, run: () => void) =>
      worldAfter(ms, () => {
        if (!this.#isOver) inContext(run);
      });
    const timeout = this.#options.timeout;
    const silence = () => {
      if (timeout !== undefined) after(timeout, () => this.emit('timeout'));
    };
    process.nextTick(() => inContext(() => this.emit('socket', { connecting: false })));
    if (status === 0 && end === 'hangs') {
      silence();
      return;
    }
    after(delayMs, () => {
      machine.activity += 1;
      if (status === 0)
        return this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      const response = new Readable({ read() {} });
      this.#response = response;
      Object.assign(response, { statusCode: status, headers });
      this.emit('response', response);
      response.push(Buffer.from(text));
      response.once('close', () => this.#finish());
      if (end === 'hangs') return silence();
      if (end === 'drips') return;
      this.#finish();
      if (end === 'whole') response.push(null);
      else after2(() => response.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
    });
    /** Once what was sent has arrived. */
    function after2(run: () => void): void {
      real.setImmediate(() => inContext(run));
    }
  }
}
