import { connect, type Socket } from 'node:net';
import {
  count,
  emptyTally,
  headersOf,
  type LoadClientSettings,
  type Question,
  type Tally,
} from './load-client.ts';

/**
 * Asks one question again and again over connections that it opens itself, each at once after its answer, until the time is
 * over. Node's HTTP client would be what is measured: a thousand of its connections take a processor.
 */
export async function loopOverSockets(
  server: string,
  settings: LoadClientSettings,
  question: Question,
  ms: number,
): Promise<Tally> {
  const tally = emptyTally();
  const { hostname, port } = new URL(server);
  const bytes = requestBytes(question, settings);
  const until = performance.now() + ms;
  const open = Array.from({ length: settings.connections }, () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    return loopOn(socket, bytes, until, tally);
  });
  await Promise.all(open);
  return tally;
}

function requestBytes(question: Question, settings: LoadClientSettings): string {
  const { method = 'POST', path, body } = question;
  const headers = Object.entries({ host: 'localhost', ...headersOf(question, settings) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`;
}

/** Resolves when the time is over and the last answer has come, or when the connection is closed. */
function loopOn(socket: Socket, request: string, until: number, tally: Tally): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt = 0;
  let read = responseReader();
  const ask = () => {
    if (performance.now() >= until) {
      socket.destroy();
      return;
    }
    askedAt = performance.now();
    read = responseReader();
    socket.write(request);
  };
  socket.on('connect', ask);
  socket.on('data', (bytes: Buffer) => {
    const status = read(bytes);
    if (status === null) return;
    count(tally, { status, ms: performance.now() - askedAt });
    ask();
  });
  socket.on('error', () => count(tally, { status: 0, ms: performance.now() - askedAt }));
  socket.on('close', () => resolve());
  return promise;
}

const END_OF_HEADERS = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Reads one response in parts. Returns its status when it is complete, and null before. */
function responseReader(): (bytes: Buffer) => number | null {
  let head = '';
  let status = 0;
  /** Bytes of the body that have not come yet. Null: it ends with the last chunk. */
  let left: number | null = null;

  function readBody(bytes: Buffer): number | null {
    if (left === null)
      return bytes.subarray(-LAST_CHUNK.length).toString('latin1') === LAST_CHUNK ? status : null;
    left -= bytes.length;
    return left <= 0 ? status : null;
  }

  return (bytes) => {
    if (status !== 0) return readBody(bytes);
    const before = Buffer.byteLength(head, 'latin1');
    head += bytes.toString('latin1');
    const end = head.indexOf(END_OF_HEADERS);
    if (end === -1) return null;
    status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (length !== undefined) left = Number(length);
    else if (!/^transfer-encoding: chunked/im.test(head)) left = 0;
    return readBody(bytes.subarray(end + END_OF_HEADERS.length - before));
  };
}
