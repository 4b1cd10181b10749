import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsWithFiles } from '../lib/open-files.ts';
import { boundBodyParts } from './body-parts.ts';
import { boundBytesBetween } from './bytes-between.ts';
import { onNewConnections, type ReceivesConnection } from './new-connections.ts';
import {
  type ConnectionNetwork,
  type OpenConnection,
  type OpenConnections,
  openConnections,
} from './open-connections.ts';
import { stopParsing } from './stop-parsing.ts';
import { closeUnreadBodies } from './unread-bodies.ts';

/** The codes of requests that are refused before they reach a route. */
export const NO_HOST = 'SKYLARK_NO_HOST';
export const TWO_HOSTS = 'SKYLARK_TWO_HOSTS';
export const UNKNOWN_EXPECTATION = 'SKYLARK_UNKNOWN_EXPECTATION';
export const UNKNOWN_CODING = 'SKYLARK_UNKNOWN_CODING';
export const NO_TUNNEL = 'SKYLARK_NO_TUNNEL';

export interface ConnectionLimits {
  /** Milliseconds within which a whole request must arrive, and its headers alone. */
  requestTimeout: number;
  headersTimeout: number;
  /** Milliseconds between two checks of both. */
  checkTimeoutsEvery: number;
  /** Open connections, or as many as there are files for. */
  mostConnections: number;
  /** The network of an address that connects; null: the address of many clients, such as a proxy's. */
  networkOf: (address: string) => ConnectionNetwork;
  /** Whether a new connection from this address is taken; called once for each. */
  takesConnection: (address: string) => boolean;
  /** Gets those that are taken. */
  receivesConnection: ReceivesConnection;
  /**
   * Requests that one connection may have waiting for their responses. Browsers send one at a time. All that arrive together
   * are parsed together: sixteen from each of 2,000 connections took 5.6 seconds.
   */
  mostWaiting: number;
  /** Bytes of all responses that clients have not yet read. */
  mostUnread: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  checkTimeoutsEvery: 1_000,
  mostConnections: 4_096,
  networkOf: () => null,
  takesConnection: () => true,
  receivesConnection: (_socket, parse) => parse(),
  mostWaiting: 4,
  mostUnread: 128 * 1024 * 1024,
};

/** Milliseconds between two checks of unread responses. */
const CHECK_EVERY_MS = 500;

/** Milliseconds after which a connection is closed on which nothing is sent, read or received. */
const SILENT_TIMEOUT = 60_000;

/** Longer than proxies keep their connections open without a request. */
const KEEP_ALIVE_TIMEOUT = 72_000;

/** Bytes of a body that Node buffers before somebody reads it. Its own 64 kB are 64 MB for a thousand connections. */
const BUFFERED_AHEAD = 16 * 1024;

/** An HTTP server with limits on time and on what connections may hold. By default, no address is counted. */
export function boundedServer(handler: RequestListener, changed: Partial<ConnectionLimits> = {}): Server {
  const limits = { ...CONNECTION_LIMITS, ...changed };
  const server = createServer(
    {
      requestTimeout: limits.requestTimeout,
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: limits.checkTimeoutsEvery,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      highWaterMark: BUFFERED_AHEAD,
      // Node would answer itself, without our limits, headers and log.
      requireHostHeader: false,
    },
    (request, response) => {
      const { socket, rawHeaders, headers, httpVersion } = request;
      // Node parses the rest of what a closed connection has sent.
      if (isClosing(socket)) return;
      if (rawHeaders.length > MOST_HEADER_TEXTS) {
        refuse(server, socket, 'HPE_HEADER_OVERFLOW');
      } else if (headers.host === undefined && httpVersion === '1.1') refuse(server, socket, NO_HOST);
      else if (countHosts(rawHeaders) > 1) refuse(server, socket, TWO_HOSTS);
      else if (!isKnownCoding(headers['transfer-encoding'])) refuse(server, socket, UNKNOWN_CODING);
      else handler(request, response);
    },
  );
  server.on('checkExpectation', ({ socket }) => refuse(server, socket, UNKNOWN_EXPECTATION));
  // Node would close the connection at once, and the client could open the next one.
  server.on('connect', ({ socket }) => {
    // Node has given the connection away, and nobody else listens to its errors.
    socket.on('error', () => {});
    refuse(server, socket, NO_TUNNEL);
  });
  server.setTimeout(SILENT_TIMEOUT);
  boundBodyParts(server);
  boundBytesBetween(server);
  closeUnreadBodies(server);
  limitConnections(server, limits);
  return server;
}

/** Names and values. Browsers and proxies send about 30 headers; Apache's limit is 100 too. */
export const MOST_HEADER_TEXTS = 2 * 100;

/** A proxy and this server might each believe another one of them (RFC 9112, section 3.2). */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Node takes a body that is coded otherwise as well for plain parts (RFC 9112, section 6.1). */
function isKnownCoding(coding: string | undefined): boolean {
  return coding === undefined || coding.trim().toLowerCase() === 'chunked';
}

/**
 * Refuses a request as the parser does, and closes its connection: one without a host or with two, one that expects
 * what HTTP does not know, one whose body is coded otherwise, one for a tunnel, and one with hundreds of short headers,
 * each of which costs as much as a long one. Node's own limit of headers leaves some out, which may be those of a
 * proxy.
 */
function refuse(server: Server, socket: Socket, code: string): void {
  if (isClosing(socket)) return;
  stopParsing(socket);
  server.emit('clientError', Object.assign(new Error('The request is refused'), { code }), socket);
}

function isClosing(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}

/** Each part of the server listens to a response once, and a compressed one is a pipe of several streams. */
const MOST_LISTENERS = 20;

/**
 * Bounds what connections may hold. A connection that sends more requests without waiting for responses is closed. If too
 * many bytes of responses are unread, the connections with the most of them are closed.
 */
function limitConnections(
  server: Server,
  {
    mostConnections,
    mostWaiting,
    mostUnread,
    networkOf,
    takesConnection,
    receivesConnection,
  }: ConnectionLimits,
): void {
  const open = openConnections(Math.min(mostConnections, connectionsWithFiles()));

  onNewConnections(server, (socket, parse) => {
    const { remoteAddress } = socket;
    // Without an address, it has already been reset.
    const isTaken = remoteAddress !== undefined && takesConnection(remoteAddress);
    if (isTaken && open.add(socket, networkOf(remoteAddress))) receivesConnection(socket, parse);
    else socket.destroy();
  });

  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const waiting = open.waitingOn(socket);
    if (waiting === undefined || isClosing(socket)) return;
    waiting.add(response);
    response.setMaxListeners(MOST_LISTENERS);
    if (waiting.size > mostWaiting) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    response.once('close', () => {
      waiting.delete(response);
      open.used(socket);
    });
  });

  const checking = setInterval(() => closeUnread(open, mostUnread), CHECK_EVERY_MS);
  checking.unref();
  server.once('close', () => clearInterval(checking));
}

function closeUnread(open: OpenConnections, most: number): void {
  let total = 0;
  for (const connection of open) total += unreadBytes(connection);
  if (total <= most) return;
  const unread = Array.from(open, (connection) => ({
    socket: connection.socket,
    bytes: unreadBytes(connection),
  }));
  for (const { socket, bytes } of unread.toSorted((one, other) => other.bytes - one.bytes)) {
    if (total <= most) return;
    socket.destroy();
    total -= bytes;
  }
}

/** Responses behind the first one are not on the socket yet. */
function unreadBytes({ socket, waiting }: Readonly<OpenConnection>): number {
  let bytes = socket.writableLength;
  for (const response of waiting) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}
