import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signUpBody } from '../tests/fixtures/alerts/sign-up-body.ts';
import { NOW, REFERENCE, smallOffers } from '../tests/fixtures/small-inventory.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { wholeCatalogue } from '../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from './ingest/open-inventory-writer.ts';
import { itemKeyOf } from './inventory/item-key.ts';
import { offerCodes } from './inventory/offer-codes.ts';
import { OFFER } from './inventory/offer-columns.ts';
import { databasePath } from './storage/open/database.ts';
import { embeddedStore } from './storage/store-address.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

let folder: ReturnType<typeof temporaryFolder>;
let child: ChildProcess | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  child?.kill('SIGKILL');
  folder.remove();
});

async function start(settings: Record<string, string>): Promise<string> {
  const server = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      SAMPLE_INVENTORY: 'off',
      PORT: '0',
      DATA_DIR: folder.path,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = server;
  let output = '';
  return new Promise((resolve) => {
    server.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk);
      const said = /^Skylark is at (http:\S+)$/m.exec(output)?.[1];
      if (said !== undefined) resolve(said);
    });
  });
}

/** Sends half of a request's body, so that the server has accepted the request but cannot respond yet. */
async function halfARequest(
  address: string,
): Promise<{ finish(next?: string): Promise<string>; socket: Socket }> {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ query: '{ __typename }' });
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: ${host}\r\nx-api-key: skylark-public\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  const answer = text(socket);
  return {
    socket,
    /** Sends the rest of the body, then `next`. */
    finish(next = '') {
      socket.write(body.slice(5) + next);
      return answer;
    },
  };
}

/** Resolves once the server refuses connections. */
async function untilClosed(address: string): Promise<void> {
  await expect
    .poll(() => fetch(`${address}/healthz`).catch(() => 'no connection'), { timeout: 5_000 })
    .toBe('no connection');
}

it('reports that it is not ready, responds to accepted requests, accepts no others, and exits', async () => {
  const address = await start({ STOP_DELAY_SECONDS: '1' });
  const missing = async () => {
    const answer = (await (await fetch(`${address}/readyz`)).json()) as { missing: string[] };
    return answer.missing;
  };
  expect(await missing()).not.toContain('The server is stopping.');
  const accepted = await halfARequest(address);
  // Once a later request gets its response, the server has read the first half.
  await fetch(`${address}/healthz`);

  child?.kill('SIGTERM');
  await expect.poll(missing, { timeout: 5_000 }).toContain('The server is stopping.');
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await expect
    .poll(() => fetch(`${address}/healthz`).catch(() => 'no connection'), { timeout: 10_000 })
    .toBe('no connection');

  expect(child?.exitCode).toBeNull();
  const ended = child === null ? null : once(child, 'exit');
  expect(await accepted.finish()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]+\{"data":\{"__typename":"Query"\}\}$/);
  await ended;
  expect(child?.exitCode).toBe(0);
});

it('stops in the same way when its terminal closes', async () => {
  const address = await start({ STOP_DELAY_SECONDS: '0' });
  const accepted = await halfARequest(address);
  await fetch(`${address}/healthz`);
  const ended = child === null ? null : once(child, 'exit');
  child?.kill('SIGHUP');
  await untilClosed(address);
  expect(await accepted.finish()).toMatch(/^HTTP\/1\.1 200 OK/);
  await ended;
  expect(child?.exitCode).toBe(0);
});

/** The status line, headers and body of each response. */
function answersIn(received: string): string[] {
  return received.split('HTTP/1.1 ').slice(1);
}

it('closes connections after their last response, and ignores later requests on them', async () => {
  const address = await start({ STOP_DELAY_SECONDS: '0' });
  const accepted = await halfARequest(address);
  await fetch(`${address}/healthz`);
  child?.kill('SIGTERM');
  await untilClosed(address);
  const ended = child === null ? null : once(child, 'exit');
  const answers = answersIn(await accepted.finish(`GET /config.json HTTP/1.1\r\nhost: x\r\n\r\n`));
  await ended;
  expect(answers).toEqual([expect.stringMatching(/^200 OK[\s\S]+\{"data":\{"__typename":"Query"\}\}$/)]);
  expect(answers[0]).toMatch(/^connection: close\r$/im);
  expect(child?.exitCode).toBe(0);
});

it('responds to a request that is completed after the stop has begun, and closes its connection', async () => {
  const address = await start({ STOP_DELAY_SECONDS: '0' });
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const received = text(socket);
  const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  socket.write(request);
  await once(socket, 'readable');
  socket.write(request.slice(0, 20));
  await fetch(`${address}/healthz`);
  child?.kill('SIGTERM');
  await untilClosed(address);
  const ended = child === null ? null : once(child, 'exit');
  socket.write(request.slice(20));
  const [, second = ''] = answersIn(await received);
  await ended;

  expect(second).toMatch(/^200 OK/);
  expect(second).toMatch(/^connection: close\r$/im);
  expect(child?.exitCode).toBe(0);
});

it('waits for a message that is being sent, and records its outcome', async () => {
  const writer = await openInventoryWriter(embeddedStore(folder.path));
  await writer.replaceReference(REFERENCE);
  await writer.writeOffers(smallOffers());
  await writer.close();
  const offer = smallOffers().find((row) => row[OFFER.expiresAt] > Date.now() / 60_000);
  if (offer === undefined) throw new Error(`Every offer of the small inventory has expired since ${NOW}`);
  const key = itemKeyOf(offerCodes(wholeCatalogue(REFERENCE))(offer));

  const calling = Promise.withResolvers<ServerResponse>();
  const provider = createServer((_request, response) => calling.resolve(response)).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  const address = await start({
    ALERT_PROVIDER: 'meta',
    ALERT_QUIET_HOURS: 'none',
    META_API_URL: `http://127.0.0.1:${port}`,
    META_PHONE_NUMBER_ID: '1',
    META_TOKEN: 'a token for tests only',
    META_APP_SECRET: 'an app secret for tests only',
    META_VERIFY_TOKEN: 'a verify token for tests only',
  });
  const signedUp = await fetch(`${address}/intents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signUpBody('07700 900123', key)),
  });
  expect(signedUp.status).toBe(200);
  const call = await calling.promise;

  const ended = child === null ? null : once(child, 'exit');
  child?.kill('SIGTERM');
  await expect
    .poll(() => fetch(`${address}/healthz`).catch(() => 'no connection'), { timeout: 5_000 })
    .toBe('no connection');
  expect(child?.exitCode).toBeNull();
  call.end(JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] }));
  await ended;
  provider.closeAllConnections();
  provider.close();

  expect(child?.exitCode).toBe(0);
  const store = new DatabaseSync(databasePath(folder.path), { readOnly: true });
  expect(store.prepare('select state from alert_message').all()).toEqual([{ state: 'accepted' }]);
  store.close();
});

it('refuses writes while an import holds the lock, and stops despite that lock', async () => {
  const address = await start({ ALERT_CONFIRMATION: 'none' });
  const store = new DatabaseSync(databasePath(folder.path));
  store.exec('begin immediate');
  const signUps = Array.from({ length: 20 }, () =>
    fetch(`${address}/intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signUpBody('07700 900123', 'SUN:BEN23:LGW:2026-12-11:7:AI:DBL:2-0-0')),
    }),
  );
  for (const answer of await Promise.all(signUps)) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
  }
  const ended = child === null ? null : once(child, 'exit');
  child?.kill('SIGTERM');
  await ended;
  // The lock is still held, so the server did not wait for its thread.
  expect(store.isTransaction).toBe(true);
  store.close();
});
