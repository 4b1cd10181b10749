import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST, type HostileSequence } from './sequences.ts';

export interface Attack {
  port: number;
  connections: number;
  ms: number;
  /** Whether each request names another address, as behind a proxy that the server trusts. */
  isProxied: boolean;
}

/** Milliseconds before a connection that was closed is opened again. */
const REOPEN_MS = 20;

/** Loopback addresses that an attack comes from. Each attack has its own. */
const ADDRESSES = 50;
let lastAddress = 0;

/** Runs a sequence from many connections. Resolves with the responses that arrived, by status. */
export async function attack(
  sequence: HostileSequence,
  { port, connections, ms, isProxied }: Attack,
): Promise<ReadonlyMap<string, number>> {
  const sockets = new Set<Socket>();
  const answers = new Map<string, number>();
  let isOver = false;
  const sent = isProxied ? fromNewAddresses : (text: string) => text;
  lastAddress = (lastAddress % 250) + 1;

  function open(nth: number): void {
    if (isOver) return;
    const socket = connect({
      port,
      host: '127.0.0.1',
      // One address has too few ports for all the connections of a bench: closed ones wait a minute.
      localAddress: `127.0.${lastAddress}.${1 + (nth % ADDRESSES)}`,
      allowHalfOpen: sequence.isHalfClosed ?? false,
    });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('connect', () => {
      const text = sent(sequence.open(nth));
      if (sequence.isHalfClosed) socket.end(text, 'latin1');
      else if (text !== '') socket.write(text, 'latin1');
      if (sequence.reads === false) socket.pause();
    });
    if (sequence.reads !== false) socket.on('data', (chunk) => answered(socket, chunk, nth));
    const drip = sequence.drip && dripping(socket, sequence.drip, nth);
    socket.once('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      setTimeout(() => open(nth), REOPEN_MS);
    });
  }

  function answered(socket: Socket, chunk: Buffer, nth: number): void {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 16))?.[1];
    if (status === undefined) return;
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (sequence.repeat && !socket.destroyed && socket.writable && !isOver) {
      socket.write(sent(sequence.repeat(nth)), 'latin1');
    }
  }

  for (let nth = 0; nth < connections; nth += 1) open(nth);
  await sleep(ms);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return answers;
}

let lastVisitor = 0;

/** The requests in a text, each with an address of its own from 11.0.0.0 on. */
function fromNewAddresses(text: string): string {
  return text.replaceAll(HOST, () => {
    lastVisitor += 1;
    const bytes = [24, 16, 8, 0].map((shift) => ((0x0b000000 + lastVisitor) >> shift) & 255);
    return `${HOST}X-Forwarded-For: ${bytes.join('.')}\r\n`;
  });
}

function dripping(
  socket: Socket,
  { everyMs, text }: NonNullable<HostileSequence['drip']>,
  nth: number,
): NodeJS.Timeout {
  let turn = 0;
  return setInterval(() => {
    const bytes = text(nth, turn);
    turn += 1;
    if (bytes === '') socket.read(1_000);
    else if (socket.writable) socket.write(bytes, 'latin1');
  }, everyMs);
}
