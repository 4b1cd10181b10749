import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { inTransaction } from '../in-transaction.ts';
import { openDatabase } from '../open/database.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { nextResponse, openSyncConnection } from './sync-connection.ts';

/** Notifies the waiting thread without a response, and sends one later. */
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

it('keeps waiting if it is notified before its response has arrived', async () => {
  const { port1: ours, port2: port } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const caller = new Worker(LATE_NOTIFIER, {
    eval: true,
    workerData: { port, signal },
    transferList: [port],
  });
  expect(nextResponse(ours, signal)).toMatchObject({ rows: [[1]] });
  ours.close();
  await caller.terminate();
});

it('throws at once when it is used after it was closed', () => {
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

  it('are answered in whatever order the answers are asked for', () => {
    const answers = inTransaction(database, () => {
      const [first, second, third] = [divide(1), divide(2), divide(3)];
      return [third(), first(), second(), third()];
    });
    expect(answers).toEqual([[[2]], [[6]], [[3]], [[2]]]);
  });

  it('see what those before them wrote', () => {
    inTransaction(database, () => {
      add(1);
      add(2);
      expect(numbers()).toEqual([1, 2]);
      database.prepare('delete from number').start();
    });
    expect(numbers()).toEqual([]);
  });

  it('fail the next statement that is asked for its result, for their reason', () => {
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

  it('fail the commit if nobody asked for a result', () => {
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

  it('fail nothing after the transaction in which they failed', () => {
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

it('sends nothing outside of a transaction before the statement that was started is answered', async () => {
  const database = openDatabase(await emptyDatabase());
  const divide = (by: number) => database.prepare('select 6 / cast(? as integer)').start(by);
  divide(0);
  expect(() => divide(1)).toThrow('The store rejected a statement');
  expect(divide(2)()).toEqual([[3]]);
  database.close();
});

it('names a pooler that gives each transaction another session as the cause of what it loses', async () => {
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
])('passes the list %j to a statement as it is', async (list: string[] | number[]) => {
  const database = openDatabase(await emptyDatabase());
  const kind = typeof list[0] === 'number' ? 'double precision' : 'text';
  const rows = database.prepare(`select unnest(cast(? as ${kind}[]))`).rows(list);
  expect(rows.flat()).toEqual(list);
  database.close();
});
