import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import { OVERLOADED } from '../lib/overloaded.ts';
import { type ClientAddresses, dropForwardedPorts, untrustedProxyWarning } from './client-address.ts';
import { heldRefusals } from './held-refusals.ts';
import { isFromHere, queuePlace, type SentRequest } from './http-caller.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { PressureReason } from './pressure.ts';
import { refusalLog } from './refusal-log.ts';
import { requestId } from './request-id.ts';
import type { RequestLimit } from './request-limit.ts';
import { requestLine } from './request-log.ts';
import type { RouteFinder } from './route-finder.ts';
import { isAlwaysAnswered, isOfPage } from './route-kinds.ts';
import type { ResponseHeaders } from './security-headers.ts';
import type { SentResponse } from './sent-response.ts';
import { stopParsing } from './stop-parsing.ts';

/**
 * Decides which requests the app gets. Others are refused before the app makes its own objects for them: a refusal then
 * takes a third of the time, which under a flood is left to those who are answered.
 */
export interface Admission {
  /** The listener of the server, in front of the app's. */
  inFrontOf(handler: RequestListener): RequestListener;
  /** Also holds back the app's own refusals. Call it before routes are added. */
  follow(app: FastifyInstance): void;
}

interface AdmissionSettings {
  clock: Clock;
  addresses: ClientAddresses;
  routes: RouteFinder;
  shedding: LoadShedding;
  limit: RequestLimit;
  headers: ResponseHeaders;
  /** Measures each refusal. The app measures its own responses. */
  observe: (response: SentResponse) => void;
}

interface Arrival {
  /** By the clock. */
  at: number;
  route: string | null;
  network: string;
}

interface Refusal {
  kind: 'refuse';
  status: 429 | 503;
  /** Seconds, for `Retry-After`. */
  retryAfter: number;
  error: string;
  /** For the log. */
  reason: string | null;
}

/** `later`: it gets in after so many milliseconds. */
type Decision = { kind: 'admit' } | { kind: 'later'; ms: number } | Refusal;

/** Seconds, for `Retry-After`. */
const SHED_FOR = 2;

const TOO_MANY = 'That is too much at once. Please try again in a moment.';

const REFUSED: ReadonlySet<number> = new Set([429, 503]);

export function admission(settings: AdmissionSettings): Admission {
  const { clock, addresses, routes, shedding, limit, headers, observe } = settings;
  const refusals = heldRefusals(clock);
  const arrivals = new WeakMap<IncomingMessage, Arrival>();
  /** Connections with a refusal that is held back; `closes`: they end with it. */
  const holding = new WeakMap<Socket, { closes: boolean }>();
  let log: FastifyBaseLogger | null = null;
  let open = 0;
  const logRefusal = refusalLog(clock, () => log);
  const warnOfProxy = untrustedProxyWarning(addresses, (text) => log?.warn(text));

  function decide({ method }: IncomingMessage, sent: SentRequest, route: string | null): Decision {
    if (!isAlwaysAnswered(route)) {
      const isQueued = method === 'POST' && route === '/graphql';
      const reason = shedding.shed({
        network: isQueued ? queuePlace(sent).network : null,
        open: open - refusals.held(),
        isOfPage: isOfPage(method, route),
      });
      if (reason !== null) return shedFor(reason);
    }
    const verdict = limit(route, sent.ip, isFromHere(sent));
    if (verdict.kind === 'within') return { kind: 'admit' };
    if (verdict.kind === 'later') return verdict;
    return { kind: 'refuse', status: 429, retryAfter: verdict.seconds, error: TOO_MANY, reason: null };
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { at, route, network }: Arrival,
    { status, retryAfter, error, reason }: Refusal,
  ): void {
    const { method = '', url = '', socket } = request;
    // Refused behind a refusal: sixteen at a time would cost others sixteen times as much as one.
    const before = holding.get(socket);
    if (before !== undefined) {
      before.closes = true;
      stopParsing(socket);
      return;
    }
    const id = requestId(request);
    const connection = { closes: false };
    const send = () => {
      holding.delete(socket);
      if (response.destroyed) return;
      const body = JSON.stringify({ error });
      response.writeHead(status, {
        ...headers.of(route, url),
        'x-request-id': id,
        'retry-after': String(retryAfter),
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        ...(connection.closes ? { connection: 'close' } : {}),
      });
      response.end(body);
    };
    response.once('close', () => {
      const ms = clock.now() - at;
      observe({ method, route, status, ms });
      logRefusal(reason, () => ({ reqId: id, ...requestLine({ method, url }, status, ms) }));
    });
    holding.set(socket, connection);
    refusals.hold(network, at, send);
  }

  function admit(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const { method = '', url = '', socket } = request;
    // The connection was reset before its request was read.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    warnOfProxy(request);
    dropForwardedPorts(request);
    const ip = addresses.addressOf(request);
    const route = routes.routeOf(method, url);
    const arrival = { at: clock.now(), route, network: networkOf(ip) };
    const decision = decide(request, { ip, headers: request.headers, socket }, route);
    if (decision.kind === 'refuse') {
      refuse(request, response, arrival, decision);
      return;
    }
    arrivals.set(request, arrival);
    if (decision.kind === 'admit') handler(request, response);
    else
      clock.after(decision.ms, () => {
        if (!socket.destroyed) handler(request, response);
      });
  }

  return {
    inFrontOf: (handler) => (request, response) => {
      try {
        admit(request, response, handler);
      } catch (error) {
        // Nobody else would catch it, and the process would end.
        log?.error(error);
        request.socket.destroy();
      }
    },
    follow(app) {
      log = app.log;
      routes.follow(app);
      app.addHook('onClose', async () => shedding.stop());
      app.addHook('onSend', async (request, reply) => {
        const arrival = arrivals.get(request.raw);
        if (arrival === undefined || !REFUSED.has(reply.statusCode)) return;
        if (isAlwaysAnswered(arrival.route)) return;
        await new Promise<void>((resolve) => refusals.hold(arrival.network, arrival.at, resolve));
      });
    },
  };
}

function shedFor(reason: PressureReason): Refusal {
  return {
    kind: 'refuse',
    status: 503,
    retryAfter: SHED_FOR,
    error: OVERLOADED,
    reason: `overload: ${reason}`,
  };
}
