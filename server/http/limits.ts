import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyHttpOptions, FastifyInstance, FastifyRequest } from 'fastify';
import { clientOf } from '../lib/ip-address.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { isFromHere } from './local-request.ts';

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

/** The largest legitimate body, a sign-up with its whole package, has under 10 levels and 200 values. */
export const JSON_LIMITS = { depth: 64, values: 2_000 };

/** If the event loop's mean delay is above this, requests get 503. */
export const MAX_LOOP_DELAY_MS = 200;
const LOOP_CHECK_MS = 100;
const SHED_FOR_MS = 2_000;

/** With at most this many open requests, none gets a 503 for overload. */
export const MAX_OPEN_WHILE_LATE = 10;

/** How long each 429 and 503 is delayed. Otherwise a client in a loop could send thousands a second. */
export const REFUSAL_DELAY_MS = 800;

/** Routes that use the store. REQUEST_LIMIT limits each client's requests to them per minute. */
const ON_STORE: ReadonlySet<string> = new Set([
  '/graphql',
  '/intents',
  '/my-alerts',
  '/my-alerts/confirm',
  '/my-alerts/data',
  '/visits',
  '/visits/check',
  '/vitals',
]);

/** Pages, files and unknown URLs are cheaper: a client may send this many times as many requests. */
export const OTHERS_PER_STORE_REQUEST = 5;

/** Routes without a limit: for supervisors, monitoring, message providers, and people who unsubscribe. */
const EXEMPT = /^\/(healthz|readyz|metrics|webhooks\/.*|my-alerts\/stop)$/;

/** Adds the limits. `perMinute` is each client's limit on routes that use the store; 0 means no limit. */
export async function addLimits(app: FastifyInstance, perMinute: number): Promise<void> {
  app.server.maxConnections = MAX_CONNECTIONS;
  delayRefusals(app);
  if (perMinute > 0) await limitRequests(app, perMinute);
  await shedOverload(app);
}

type RouteKind = 'exempt' | 'store' | 'page' | 'unknown';

/** Depends on the route's pattern, because one URL can be written in many ways. */
function kindOf({ method, is404, routeOptions: { url } }: FastifyRequest): RouteKind {
  if (is404 || url === undefined) return 'unknown';
  if (EXEMPT.test(url)) return 'exempt';
  if (ON_STORE.has(url)) return 'store';
  return method === 'GET' || method === 'HEAD' ? 'page' : 'unknown';
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
    allowList: (request) => isFromHere(request) || kindOf(request) === 'exempt',
    addHeaders: { ...noHeaders, 'retry-after': true },
    addHeadersOnExceeding: noHeaders,
  });
  // Applies to the whole app, so that unknown URLs and wrong keys also count.
  app.addHook('onRequest', app.rateLimit());
}

async function shedOverload(app: FastifyInstance): Promise<void> {
  const open = new Set<FastifyRequest>();
  app.addHook('onRequest', (request, reply, done) => {
    open.add(request);
    reply.raw.once('close', () => open.delete(request));
    done();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_LOOP_DELAY_MS,
    sampleInterval: LOOP_CHECK_MS,
    async pressureHandler(request) {
      const kind = kindOf(request);
      if (kind === 'exempt' || kind === 'page') return;
      // Waits until all requests of the same event-loop turn are counted.
      await setImmediate();
      if (open.size <= MAX_OPEN_WHILE_LATE) return;
      open.delete(request);
      throw new Overloaded(SHED_FOR_MS);
    },
  });
}

/** Delays refusals. The delay ends early if the client disconnects or the app closes. */
function delayRefusals(app: FastifyInstance): void {
  const delays = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of delays) end();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if ((reply.statusCode !== 429 && reply.statusCode !== 503) || request.routeOptions.url === '/readyz') {
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
