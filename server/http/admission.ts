import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import { OVERLOADED } from '../lib/overloaded.ts';
import { type Tally, tally } from '../lib/tally.ts';
import {
  type ClientAddresses,
  connectingNetwork,
  tidyForwardedFor,
  untrustedProxyWarning,
} from './client-address.ts';
import type { ConnectionTarpit } from './connection-tarpit.ts';
import type { EnteringKind, Entrance } from './entrance.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { isFromHere, queuePlace, type SentRequest } from './http-caller.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { OpenRequest } from './open-requests.ts';
import { pipelining } from './pipelining.ts';
import type { PressureReason } from './pressure.ts';
import { refusalLog } from './refusal-log.ts';
import { hasBody } from './request-bodies.ts';
import { requestId } from './request-id.ts';
import type { LimitVerdict, RequestLimit } from './request-limit.ts';
import { requestLine } from './request-log.ts';
import type { RouteFinder } from './route-finder.ts';
import { isAlwaysAnswered, isOfPage } from './route-kinds.ts';
import type { ResponseHeaders } from './security-headers.ts';
import type { SentResponse } from './sent-response.ts';
import { stopParsing } from './stop-parsing.ts';
import { unreadConnections } from './unread-connections.ts';

/**
 * Decides which requests the app gets. Others are refused before the app makes its own objects for them: a refusal then
 * takes a third of the time, which under a flood is left to those who are answered.
 */
export interface Admission {
  /** The listener of the server, in front of the app's. */
  inFrontOf(handler: RequestListener): RequestListener;
  /** Also holds back the app's own refusals, and lets nothing in while the app closes. Call it before routes are added. */
  follow(app: FastifyInstance): void;
}

interface AdmissionSettings {
  clock: Clock;
  addresses: ClientAddresses;
  routes: RouteFinder;
  shedding: LoadShedding;
  limit: RequestLimit;
  refusals: HeldRefusals;
  /** The requests that are held back, by their networks. */
  heldBack: Tally;
  /** Whether a connection has sent a long body that was not kept. */
  isCut: ConnectionTarpit['isCut'];
  entrance: Entrance;
  headers: ResponseHeaders;
  /** Measures each refusal. The app measures its own responses. */
  observe: (response: SentResponse) => void;
}

interface Arrival {
  /** By the clock. */
  at: number;
  route: string | null;
  network: string;
  /** Whose place in the queues and among the open requests it takes. */
  place: string;
  /** Its body has not been kept. */
  isCut: boolean;
}

interface Refusal {
  kind: 'refuse';
  status: 429 | 503;
  /** Seconds, for `Retry-After`. */
  retryAfter: number;
  error: string;
  /** For the log. */
  reason: string | null;
  /**
   * It uses up the network's allowance all the same: a network with too many open requests would otherwise keep its
   * allowance for as long as it asks for more, and have them open all the time.
   */
  isCounted: boolean;
}

/** `later`: it gets in in its network's turn. */
type Decision = { kind: 'admit' } | Extract<LimitVerdict, { kind: 'later' }> | Refusal;

/** Seconds, for `Retry-After`. */
const SHED_FOR = 2;

/** Requests of one network that get in at once, and those for a page or its files. Further ones take turns. */
const AT_ONCE = 8;
const PAGE_AT_ONCE = 20;

/** For requests that come on open connections while the app closes: its store is going to be closed. */
const STOPPING: Refusal = {
  kind: 'refuse',
  status: 503,
  retryAfter: 5,
  error: 'The server is stopping. Please try again in a moment.',
  reason: 'the server is stopping',
  isCounted: false,
};

const TOO_MANY = 'That is too much at once. Please try again in a moment.';

const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/**
 * Of what is answered whatever the load: forged webhooks, those of a provider that is not set up, and monitoring without
 * its token.
 */
const UNWANTED: ReadonlySet<number> = new Set([401, 403, 404]);

function isRefusal(status: number, isAlwaysAnswered: boolean): boolean {
  return REFUSED.has(status) || (isAlwaysAnswered && UNWANTED.has(status));
}

export function admission(settings: AdmissionSettings): Admission {
  const { clock, addresses, routes, shedding, limit, refusals, heldBack, isCut, entrance, headers, observe } =
    settings;
  const unread = unreadConnections();
  const ownNetwork = connectingNetwork(addresses);
  /** The requests that got in. What is answered whatever the load takes no place among the open ones. */
  const admitted = new WeakMap<IncomingMessage, Arrival & { open: OpenRequest | null }>();
  /** The requests that got in or are at the entrance, by whose place they take. */
  const present = tally();
  /** Connections with a refusal that is held back; `closes`: they end with it. */
  const holding = new WeakMap<Socket, { closes: boolean }>();
  const { inOrder } = pipelining(clock);
  let log: FastifyBaseLogger | null = null;
  let isStopping = false;
  const logRefusal = refusalLog(clock, () => log);
  const warnOfProxy = untrustedProxyWarning(addresses, (text) => log?.warn(text));

  /** What no request is let in for at this moment, whoever sends it. */
  function refusalNow(
    { method }: IncomingMessage,
    { route, place }: Pick<Arrival, 'route' | 'place'>,
  ): Refusal | null {
    if (isStopping) return STOPPING;
    if (isAlwaysAnswered(route)) return null;
    const reason = shedding.shed({ network: place, isOfPage: isOfPage(method, route) });
    return reason === null ? null : shedFor(reason);
  }

  function decide(request: IncomingMessage, sent: SentRequest, arrival: Arrival): Decision {
    const { route, place } = arrival;
    if (arrival.isCut) return limited(SHED_FOR);
    const refusal = refusalNow(request, arrival);
    if (refusal !== null && !refusal.isCounted) return refusal;
    const isCrowded = present.of(place) >= (isOfPage(request.method, route) ? PAGE_AT_ONCE : AT_ONCE);
    const verdict = limit({ route, address: sent.ip, isLocal: isFromHere(sent), isCrowded });
    if (verdict.kind === 'refused') return limited(verdict.seconds);
    if (refusal !== null) return refusal;
    return verdict.kind === 'within' ? { kind: 'admit' } : verdict;
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { at, route, network, isCut: closes }: Arrival,
    { status, retryAfter, error, reason }: Refusal,
  ): void {
    const { method = '', url = '', socket } = request;
    let id: string | null = null;
    const idOnce = () => (id ??= requestId(request));
    const connection = { closes };
    const send = () => {
      holding.delete(socket);
      if (response.destroyed || socket.readableEnded) return;
      const body = JSON.stringify({ error });
      response.writeHead(status, {
        ...headers.of(route, url),
        'x-request-id': idOnce(),
        'retry-after': String(retryAfter),
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        ...(connection.closes || isStopping ? { connection: 'close' } : {}),
      });
      response.end(body);
      if (heldBack.isMany(network) && ownNetwork(socket.remoteAddress ?? '') !== null) rest(request, network);
    };
    holding.set(socket, connection);
    // Two thousand bodies that nobody reads would be kept for as long as their refusals are held.
    if (hasBody(request)) request.resume();
    forgetHeaders(request);
    const connected = unread.leave(request);
    const giveUp = refusals.hold({ network, socket, since: at, isOwnFault: status === 429 }, () =>
      connected.readOn(send),
    );
    response.once('close', () => {
      giveUp();
      connected.forget();
      const ms = clock.now() - at;
      observe({ method, route, status, ms });
      logRefusal(reason, () => ({ reqId: idOnce(), ...requestLine({ method, url }, status, ms) }));
    });
  }

  /**
   * Does not read what comes next on a client's own connection for as long as a refusal would be held, which then goes at
   * once. Two thousand connections that ask again together would be read together, and everybody else would wait.
   */
  function rest(request: IncomingMessage, network: string): void {
    const { socket } = request;
    const connected = unread.leave(request);
    let giveUp = () => {};
    const forget = () => {
      giveUp();
      connected.forget();
    };
    socket.once('close', forget);
    giveUp = refusals.holdUnread({ network, socket, since: clock.now() }, () => {
      socket.off('close', forget);
      connected.readOn(() => {});
    });
  }

  /** Holds a refusal of the app back, unless its client is gone. */
  function untilReleased({ network, at }: Arrival, response: ServerResponse, status: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isHeld = true;
    const {
      req: { socket },
    } = response;
    const giveUp = refusals.hold({ network, socket, since: at, isOwnFault: status !== 503 }, () => {
      isHeld = false;
      resolve();
    });
    if (isHeld) {
      response.once('close', () => {
        giveUp();
        resolve();
      });
    }
    return promise;
  }

  function placeOf(request: IncomingMessage): string {
    const { headers: sent, socket } = request;
    return queuePlace({ ip: addresses.addressOf(request), headers: sent, socket });
  }

  function admit(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const { method = '', url = '', socket } = request;
    // The connection was reset before its request was read.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    warnOfProxy(request);
    const ip = addresses.addressOf(request);
    const route = routes.routeOf(method, url);
    const sent = { ip, headers: request.headers, socket };
    const place = queuePlace(sent);
    const arrival = { at: clock.now(), route, network: networkOf(ip), place, isCut: isCut(socket) };
    const decision = decide(request, sent, arrival);
    if (decision.kind === 'refuse') {
      refuse(request, response, arrival, decision);
      return;
    }
    const letIn = () => {
      // What is answered whatever the load has limits of its own, and takes no place from others.
      const open = isAlwaysAnswered(route) ? null : openOf(request, response, place);
      admitted.set(request, { ...arrival, open });
      handler(request, response);
    };
    const enter = () => {
      present.add(place);
      response.once('close', () => present.takeOff(place));
      enterInTurn(request, response, arrival, letIn);
    };
    if (decision.kind === 'admit') enter();
    else
      response.once(
        'close',
        // Not refused after all: these are few, and a stop must get through.
        decision.wait(() => orDestroy(socket, enter)),
      );
  }

  function openOf(request: IncomingMessage, response: ServerResponse, place: string): OpenRequest {
    const isUpload = hasBody(request) && !request.complete;
    const open = shedding.requests.open(place, isUpload);
    if (isUpload) request.once('end', open.arrive);
    response.once('close', open.end);
    return open;
  }

  /** Lets a request in now, or in its turn at the entrance, unless it is refused by then. */
  function enterInTurn(
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    letIn: () => void,
  ): void {
    const { method, socket } = request;
    const { route, place } = arrival;
    let isLater = false;
    const start = () => {
      const refusal = isLater ? refusalNow(request, arrival) : null;
      if (refusal === null) letIn();
      else refuse(request, response, arrival, refusal);
    };
    const giveUp = entrance.enter({ kind: enteringKind(method, route), network: place }, () =>
      orDestroy(socket, start),
    );
    if (giveUp === null) return;
    isLater = true;
    response.once('close', giveUp);
  }

  /** Nobody else would catch what is thrown here, and the process would end. */
  function orDestroy(socket: Socket, work: () => void): void {
    try {
      work();
    } catch (error) {
      log?.error(error);
      socket.destroy();
    }
  }

  return {
    inFrontOf: (handler) => (request, response) => {
      const { socket } = request;
      // Whoever asks for the address finds the header as it is to be read.
      tidyForwardedFor(request);
      const refusal = holding.get(socket);
      if (refusal === undefined) {
        const next = () => orDestroy(socket, () => admit(request, response, handler));
        inOrder(socket, response, () => placeOf(request), next);
        return;
      }
      // Answers to what is sent behind it would be kept until the client has it, and nobody waits for them.
      refusal.closes = true;
      stopParsing(socket);
    },
    follow(app) {
      log = app.log;
      routes.follow(app);
      app.addHook('preClose', async () => {
        isStopping = true;
        // A stop waits for all responses, and those who are refused need not ask here again.
        refusals.end();
      });
      app.addHook('onClose', async () => shedding.stop());
      app.addHook('onSend', async (request, reply) => {
        const arrival = admitted.get(request.raw);
        if (arrival === undefined || !isRefusal(reply.statusCode, arrival.open === null)) return;
        arrival.open?.hold();
        await untilReleased(arrival, reply.raw, reply.statusCode);
      });
    },
  };
}

const NO_HEADERS: IncomingHttpHeaders = Object.freeze({});
const NO_RAW_HEADERS: string[] = [];

/**
 * Leaves a request that is going to be refused nothing but its id: while thousands of refusals are held back, whatever they
 * keep is copied by the garbage collector, and everybody waits for that.
 */
function forgetHeaders(request: IncomingMessage): void {
  const { 'x-request-id': id } = request.headers;
  request.headers = id === undefined ? NO_HEADERS : { 'x-request-id': id };
  request.rawHeaders = NO_RAW_HEADERS;
}

function isSearch(method: string | undefined, route: string | null): boolean {
  return method === 'POST' && route === '/graphql';
}

function enteringKind(method: string | undefined, route: string | null): EnteringKind {
  if (isAlwaysAnswered(route)) return 'urgent';
  return isSearch(method, route) ? 'search' : 'other';
}

function shedFor(reason: PressureReason): Refusal {
  return {
    kind: 'refuse',
    status: 503,
    retryAfter: SHED_FOR,
    error: OVERLOADED,
    reason: `overload: ${reason}`,
    isCounted: reason === 'requests',
  };
}

/** `seconds`: until the network may ask again. */
function limited(seconds: number): Refusal {
  return {
    kind: 'refuse',
    status: 429,
    retryAfter: seconds,
    error: TOO_MANY,
    reason: null,
    isCounted: true,
  };
}
