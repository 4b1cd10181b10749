import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { connectionTo } from './client.ts';
import { isPassingFailure } from './failure.ts';
import type { LinkAnswer, LinkQuestion, LinkSetting } from './sync-connection.ts';

/** While an answer is waited for, the server is asked so often, in milliseconds, whether it is still there. */
const LOOK_EVERY = 2_000;

/** How long it may take to say so, in milliseconds. */
const LOOK_PATIENCE = 2_000;

/**
 * Where the last attempt to connect has failed, a question waits so long for the next one, in milliseconds, and the
 * attempt goes on behind it: askers come one by one, and would wait for each other's attempts.
 */
const WAIT_AGAIN = 200;

/** The addresses at which the last attempt to connect has failed, or whose server has stopped answering, of all links. */
const away = new Set<string>();

/** A link's end at the server: one connection, made when it is needed and made anew when it was lost. */
export interface LinkConnection {
  /** One question at a time. */
  answer(question: LinkQuestion): Promise<LinkAnswer>;
  end(): void;
}

export function linkConnection(setting: LinkSetting): LinkConnection {
  let connected: Promise<pg.Client> | null = null;
  /** In the order in which they are tried: who failed comes last. */
  let { urls } = setting;
  let isInTransaction = false;
  /** The connection of the open transaction is gone, and the transaction with it. */
  let isBroken = false;
  /** Where each connection goes to. */
  const urlOf = new WeakMap<pg.Client, string>();
  /** A statement's name on the connection: each is parsed once. */
  const names = new Map<string, string>();

  async function answer(question: LinkQuestion): Promise<LinkAnswer> {
    try {
      return await resultOf(question);
    } catch (error) {
      const isPassing = isPassingFailure(error);
      const code = errorCode(error);
      return { kind: 'failed', isPassing, code: typeof code === 'string' ? code : null, error };
    }
  }

  async function resultOf(question: LinkQuestion): Promise<LinkAnswer> {
    if (question.kind === 'end' && question.text === 'rollback') return rollBack();
    if (isBroken) throw lost();
    if (question.kind === 'begin') return begin(question);
    const result = await ask(question);
    if (question.kind === 'end') isInTransaction = false;
    return result;
  }

  /** A transaction that was not begun whole is not begun. */
  async function begin(question: LinkQuestion): Promise<LinkAnswer> {
    isInTransaction = true;
    try {
      return await ask(question);
    } catch (error) {
      await rollBack().catch(() => {});
      throw error;
    }
  }

  async function ask(question: LinkQuestion): Promise<LinkAnswer> {
    try {
      return await askOnce(question);
    } catch (error) {
      // What only reads may be asked again: the next connection is to another server, where there is one.
      if (!setting.isReadOnly || isInTransaction || !isPassingFailure(error)) throw error;
      disconnect();
      return askOnce(question);
    }
  }

  async function askOnce(question: LinkQuestion): Promise<LinkAnswer> {
    const opening = connection();
    let client: pg.Client;
    try {
      client = await (urls.every((url) => away.has(url)) ? soon(opening) : opening);
    } catch (error) {
      if (isInTransaction) isBroken = true;
      throw error;
    }
    const watching = setInterval(() => void look(client), LOOK_EVERY);
    try {
      return await query(client, question);
    } catch (error) {
      // A server that has become read-only stays so for this connection; a new one may reach its successor.
      if (isPassingFailure(error) && !isInTransaction) disconnect();
      throw error;
    } finally {
      clearInterval(watching);
    }
  }

  async function query(client: pg.Client, question: LinkQuestion): Promise<LinkAnswer> {
    if (question.kind !== 'statement') {
      await client.query(question.text);
      return { kind: 'result', columns: [], rows: [], changes: 0 };
    }
    const { text, values, isKept } = question;
    const result = await client.query<unknown[]>({
      text,
      values: [...values],
      rowMode: 'array',
      ...(isKept ? { name: nameOf(text) } : {}),
    });
    return {
      kind: 'result',
      columns: result.fields.map(({ name }) => name),
      rows: result.rows as Extract<LinkAnswer, { kind: 'result' }>['rows'],
      changes: result.rowCount ?? 0,
    };
  }

  /** The connection, or the one attempt to make it. */
  function connection(): Promise<pg.Client> {
    if (connected !== null) return connected;
    const opening = connect();
    connected = opening;
    opening.catch(() => {
      if (connected === opening) connected = null;
    });
    return opening;
  }

  async function connect(): Promise<pg.Client> {
    let failure: unknown = new Error('There is no address to connect to');
    for (const url of urls) {
      const client = new pg.Client(connectionTo(url, setting.settings));
      urlOf.set(client, url);
      client.on('error', () => left(client));
      client.on('end', () => left(client));
      try {
        await client.connect();
        away.delete(url);
        return client;
      } catch (error) {
        failure = error;
        leave(url);
        void client.end().catch(() => {});
      }
    }
    throw failure;

    function left(client: pg.Client): void {
      void connected?.then(
        (current) => current === client && disconnect(),
        () => {},
      );
    }
  }

  function disconnect(): void {
    void connected?.then(
      (client) => client.end().catch(() => {}),
      () => {},
    );
    connected = null;
    if (isInTransaction) isBroken = true;
  }

  async function rollBack(): Promise<LinkAnswer> {
    const wasOpen = isInTransaction && !isBroken;
    isInTransaction = false;
    isBroken = false;
    if (!wasOpen) return { kind: 'result', columns: [], rows: [], changes: 0 };
    return askOnce({ kind: 'end', text: 'rollback' });
  }

  /** A server that vanished without a word would be waited for too long: one that no new connection reaches is left. */
  async function look(waiting: pg.Client): Promise<void> {
    const url = urlOf.get(waiting);
    if (url === undefined) return;
    const probe = new pg.Client({
      ...connectionTo(url, setting.settings),
      connectionTimeoutMillis: LOOK_PATIENCE,
    });
    probe.on('error', () => {});
    try {
      await probe.connect();
    } catch (error) {
      // A server that is full, or that shuts down, has answered.
      if (error instanceof pg.DatabaseError) return;
      leave(url);
      waiting.connection.stream.destroy();
    } finally {
      void probe.end().catch(() => {});
    }
  }

  function leave(url: string): void {
    away.add(url);
    urls = [...urls.filter((other) => other !== url), url];
  }

  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  function lost(): Error {
    return new Error('Connection terminated in a transaction');
  }

  return { answer, end: disconnect };
}

async function soon<T>(promise: Promise<T>): Promise<T> {
  const late = new AbortController();
  const tooLate = sleep(WAIT_AGAIN, null, { signal: late.signal }).then(() => {
    throw new Error('Connection timeout: the server has not answered for a while');
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    late.abort();
    tooLate.catch(() => {});
  }
}
