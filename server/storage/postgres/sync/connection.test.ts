import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../../tests/fixtures/test-databases.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../../lib/store-unavailable.ts';
import { inTransaction } from '../../in-transaction.ts';
import { openDatabase } from '../../open/database.ts';
import type { SqlDatabase } from '../../sql-database.ts';
import { nextResponse, openSyncConnection, type SyncConnection, type SyncThread } from './connection.ts';
import { ENDED, type SyncConnectionOptions } from './protocol.ts';

/** Notifies the waiting thread too early, and sends the response later. */
const LATE_NOTIFIER = `
const { workerData: { port, signal } } = require('node:worker_threads');
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
for (let nth = 0; nth < 5; nth += 1) {
  sleep(40);
  Atomics.notify(signal, 0);
}
port.postMessage({ kind: 'result', columns: [], rows: [[1]], changes: 0 });
Atomics.add(signal, 0, 1);
Atomics.notify(signal, 0);
`;

/** A number in memory that threads share. */
function numberOf(value: number): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  shared[0] = value;
  return shared;
}

it('keeps waiting if it is notified before its response has arrived', async () => {
  const { port1: ours, port2: port } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const caller = new Worker(LATE_NOTIFIER, {
    eval: true,
    workerData: { port, signal },
    transferList: [port],
  });
  expect(nextResponse(ours, signal, numberOf(0))).toMatchObject({ rows: [[1]] });
  ours.close();
  await caller.terminate();
});

describe('Waiting for a response', () => {
  const RESPONSE = { kind: 'result', columns: [], rows: [[1]], changes: 0 };

  it('ends if the worker has ended, but first returns its last response', () => {
    const { port1: ours, port2: theirs } = new MessageChannel();
    theirs.postMessage(RESPONSE);
    const next = () => nextResponse(ours, numberOf(0), numberOf(ENDED));
    expect(next()).toEqual(RESPONSE);
    expect(next()).toBeNull();
    ours.close();
  });

  it('ends if the worker gives no sign of life for long', () => {
    const { port1: ours } = new MessageChannel();
    expect(nextResponse(ours, numberOf(0), numberOf(7), 1)).toBeNull();
    ours.close();
  });

  it('ends if the worker has crashed', async () => {
    const life = numberOf(0);
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: life });
    worker.once('error', () => {});
    worker.postMessage(null);
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(life[0]).toBe(ENDED);
  });
});

describe('A connection whose worker ends', () => {
  let options: SyncConnectionOptions;
  let connection: SyncConnection;
  let threads: { worker: Worker; life: Int32Array }[];

  beforeEach(async () => {
    const address = await emptyDatabase();
    const urls = address.kind === 'postgresql' ? [address.url] : [];
    options = { urls, settings: {}, isReadOnly: false, outcomeWait: 1_000 };
    threads = [];
    connection = openSyncConnection(options, startThread);
    connection.send({ kind: 'script', text: 'create table number (value integer primary key)' });
  });

  afterEach(async () => {
    connection.close();
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  });

  function startThread(): SyncThread {
    const life = numberOf(0);
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: life });
    threads.push({ worker, life });
    return { worker, life };
  }

  async function endThread(): Promise<void> {
    const thread = threads.at(-1);
    await thread?.worker.terminate();
    thread?.life.fill(ENDED);
  }

  const statement = (text: string) => ({ kind: 'statement', text, values: [], isKept: false }) as const;
  const add = (value: number) => statement(`insert into number values (${value})`);
  const numbers = () => connection.send(statement('select value from number order by value')).rows.flat();

  it('fails its current request, then starts another worker', async () => {
    connection.send(add(1));
    await endThread();
    expect(numbers).toThrow(StoreUnavailable);
    expect(numbers()).toEqual([1]);
    expect(threads).toHaveLength(2);
  });

  it('fails all statements of the open transaction until it is rolled back', async () => {
    connection.send({ kind: 'begin', text: 'begin' });
    const started = [connection.start(add(1)), connection.start(add(2))];
    started[1]?.();
    await endThread();
    const asked = [connection.start(add(3)), connection.start(add(4))];
    for (const result of asked) expect(result).toThrow(StoreUnavailable);
    expect(() => connection.send(add(5))).toThrow(StoreUnavailable);
    connection.send({ kind: 'end', text: 'rollback' });
    expect(numbers()).toEqual([]);
    connection.send({ kind: 'begin', text: 'begin' });
    connection.send(add(6));
    connection.send({ kind: 'end', text: 'commit' });
    expect(numbers()).toEqual([6]);
  });

  it('reports the outcome of a pending commit as unknown', async () => {
    connection.send({ kind: 'begin', text: 'begin' });
    connection.send(add(1));
    await endThread();
    expect(() => connection.send({ kind: 'end', text: 'commit' })).toThrow(OutcomeUnknown);
    connection.send({ kind: 'end', text: 'rollback' });
    expect(numbers()).toEqual([]);
  });
});

it('throws immediately when it is used after it was closed', () => {
  const connection = openSyncConnection({
    urls: ['postgres://127.0.0.1:1/none'],
    settings: {},
    isReadOnly: true,
    outcomeWait: 0,
  });
  connection.close();
  const send = () => connection.send({ kind: 'script', text: 'select 1' });
  expect(send).toThrow('The connection to the store is closed');
});

describe('Statements that are started in a transaction', () => {
  let database: SqlDatabase;

  beforeAll(async () => {
    database = openDatabase(await emptyDatabase());
    database.exec('create table number (value integer primary key)');
  });

  afterAll(() => database.close());

  const numbers = () => database.prepare('select value from number order by value').rows().flat();
  const add = (value: number) => database.prepare('insert into number values (?)').start(value);
  const divide = (by: number) => database.prepare('select 6 / cast(? as integer)').start(by);
  const causeOf = (work: () => void) => {
    try {
      work();
    } catch (error) {
      return String(error instanceof Error ? error.cause : error);
    }
    return null;
  };

  it('return their results in any order', () => {
    const answers = inTransaction(database, () => {
      const [first, second, third] = [divide(1), divide(2), divide(3)];
      return [third(), first(), second(), third()];
    });
    expect(answers).toEqual([[[2]], [[6]], [[3]], [[2]]]);
  });

  it('see what earlier statements wrote', () => {
    inTransaction(database, () => {
      add(1);
      add(2);
      expect(numbers()).toEqual([1, 2]);
      database.prepare('delete from number').start();
    });
    expect(numbers()).toEqual([]);
  });

  it('pass their failure to the next statement whose result is requested', () => {
    const cause = causeOf(() =>
      inTransaction(database, () => {
        add(1);
        divide(0);
        add(2)();
      }),
    );
    expect(cause).toContain('division by zero');
    expect(numbers()).toEqual([]);
  });

  it('fail the commit if no result is requested', () => {
    const cause = causeOf(() =>
      inTransaction(database, () => {
        add(1);
        divide(0);
        add(2);
      }),
    );
    expect(cause).toContain('division by zero');
    expect(numbers()).toEqual([]);
  });

  it('do not affect later transactions if they fail', () => {
    const given = new Error('Given up');
    const giveUp = () =>
      inTransaction(database, () => {
        divide(0);
        throw given;
      });
    expect(giveUp).toThrow(given);
    expect(inTransaction(database, () => divide(2)())).toEqual([[3]]);
  });
});

it('outside a transaction, a statement waits for the response to the one before', async () => {
  const database = openDatabase(await emptyDatabase());
  const divide = (by: number) => database.prepare('select 6 / cast(? as integer)').start(by);
  divide(0);
  expect(() => divide(1)).toThrow('The store rejected a statement');
  expect(divide(2)()).toEqual([[3]]);
  database.close();
});

it('reports a pooler in transaction mode if a prepared statement has disappeared', async () => {
  const database = openDatabase(await emptyDatabase());
  const ask = () => database.prepare('select 1').rows();
  expect(ask()).toEqual([[1]]);
  database.exec('deallocate all');
  expect(ask).toThrow('DATABASE_URL leads through a pooler that does not run in session mode');
  database.close();
});

it.each([
  [['a', 'b"', 'c\\', "d'", '{e,f}', '', 'NULL', 'ä€😀', 'two\nlines', ' g ']],
  [[0, -1, 2.5, 3_000_000_000]],
  [[]],
])('passes the list %j to a statement unchanged', async (list: string[] | number[]) => {
  const database = openDatabase(await emptyDatabase());
  const kind = typeof list[0] === 'number' ? 'double precision' : 'text';
  const rows = database.prepare(`select unnest(cast(? as ${kind}[]))`).rows(list);
  expect(rows.flat()).toEqual(list);
  database.close();
});
