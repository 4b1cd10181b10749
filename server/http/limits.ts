import type { Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import rateLimit from '@fastify/rate-limit';
import type { FastifyHttpOptions, FastifyInstance, FastifyRequest } from 'fastify';
import { clientOf } from '../lib/ip-address.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { isFromHere } from './local-request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `store`: the route uses the store, and REQUEST_LIMIT limits each client's requests per minute. `none`: no
     * limit, for supervisors, monitoring, message providers, and people who unsubscribe. Omitted: a cheaper route.
     */
    limit?: 'store' | 'none';
    /** Whether a 503 of this route is not delayed. */
    isPrompt?: boolean;
  }
}

/** Limits on a connection. A proxy must close idle connections after less than 72 s. */
export const SERVER_OPTIONS = {
  http: { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, connectionsCheckingInterval: 1_000 },
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 72_000,
  bodyLimit: 64 * 1024,
} as const satisfies FastifyHttpOptions<Server>;

/** Each connection needs a file descriptor, so `ulimit -n` must be well above this. */
export const MAX_CONNECTIONS = 2_000;

/** If the event loop's mean delay is above this, requests get 503. */
export const MAX_LOOP_DELAY_MS = 200;
const LOOP_CHECK_MS = 100;
const LOOP_RESOLUTION_MS = 10;
const SHED_FOR_MS = 2_000;

/** With at most this many open requests, none gets a 503 for overload. */
export const MAX_OPEN_WHILE_LATE = 10;

/** How long each 429 and 503 is delayed. Otherwise a client in a loop could send thousands a second. */
export const REFUSAL_DELAY_MS = 800;

/** Pages, files and unknown URLs are cheaper: a client may send this many times as many requests. */
export const OTHERS_PER_STORE_REQUEST = 5;

/** Adds the limits. `perMinute` is each client's limit on routes that use the store; 0 means no limit. */
export async function addLimits(app: FastifyInstance, perMinute: number): Promise<void> {
  app.server.maxConnections = MAX_CONNECTIONS;
  delayRefusals(app);
  if (perMinute > 0) await limitRequests(app, perMinute);
  shedOverload(app);
}

type RouteKind = 'none' | 'store' | 'page' | 'unknown';

function kindOf({ method, is404, routeOptions: { config } }: FastifyRequest): RouteKind {
  if (is404) return 'unknown';
  return config.limit ?? (method === 'GET' || method === 'HEAD' ? 'page' : 'unknown');
}

async function limitRequests(app: FastifyInstance, perMinute: number): Promise<void> {
  const isOnStore = (request: FastifyRequest) => kindOf(request) === 'store';
  const noHeaders = {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  };
  await app.register(rateLimit, {
    global: false,
    max: (request) => (isOnStore(request) ? perMinute : perMinute * OTHERS_PER_STORE_REQUEST),
    timeWindow: '1 minute',
    cache: 50_000,
    keyGenerator: (request) => `${isOnStore(request) ? 'store' : 'others'} ${clientOf(request.ip)}`,
    allowList: (request) => isFromHere(request) || kindOf(request) === 'none',
    addHeaders: { ...noHeaders, 'retry-after': true },
    addHeadersOnExceeding: noHeaders,
  });
  // Applies to the whole app, so that unknown URLs and wrong keys also count.
  app.addHook('onRequest', app.rateLimit());
}

function shedOverload(app: FastifyInstance): void {
  const open = new Set<FastifyRequest>();
  const isLate = lateEventLoop(app);
  app.decorate('isUnderPressure', isLate);
  app.addHook('onRequest', (request, reply, done) => {
    open.add(request);
    reply.raw.once('close', () => open.delete(request));
    const kind = kindOf(request);
    if (!isLate() || kind === 'none' || kind === 'page') {
      done();
      return;
    }
    // Waits until all requests of the same event-loop turn are counted.
    setImmediate(() => {
      if (open.size > MAX_OPEN_WHILE_LATE) {
        open.delete(request);
        done(new Overloaded(SHED_FOR_MS));
      } else done();
    });
  });
}

/** Whether the event loop's mean delay was too long in the last period. */
function lateEventLoop(app: FastifyInstance): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  let isLate = false;
  delays.enable();
  const timer = setInterval(() => {
    // The mean is NaN if the loop was blocked for the whole period.
    isLate = !(delays.mean / 1e6 - LOOP_RESOLUTION_MS <= MAX_LOOP_DELAY_MS);
    delays.reset();
  }, LOOP_CHECK_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => isLate;
}

/** Delays refusals. The delay ends early if the client disconnects or the app closes. */
function delayRefusals(app: FastifyInstance): void {
  const delays = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of delays) end();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (![429, 503].includes(reply.statusCode) || request.routeOptions.config.isPrompt === true) {
      done();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      delays.delete(end);
      reply.raw.off('close', end);
      done();
    };
    const timer = setTimeout(end, REFUSAL_DELAY_MS);
    delays.add(end);
    reply.raw.once('close', end);
  });
}
