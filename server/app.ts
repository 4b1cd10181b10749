import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type AppAlerts, addAlerts } from './alerts/http/add-alerts.ts';
import type { HolidayProvider } from './feed/holiday-providers.ts';
import { type Admission, admission } from './http/admission.ts';
import { boundedServer, type ConnectionLimits } from './http/bounded-server.ts';
import { type ClientAddresses, clientAddresses, connectingNetwork } from './http/client-address.ts';
import { addCompression } from './http/compression.ts';
import { type ConnectionTarpit, CROWD, connectionTarpit } from './http/connection-tarpit.ts';
import { refuseCompressedBodies } from './http/content-encoding.ts';
import { CALLER_GONE } from './http/ended-responses.ts';
import { type EntranceLoop, entrance } from './http/entrance.ts';
import { addHealthRoutes } from './http/health-routes.ts';
import { type HeldRefusals, heldRefusals } from './http/held-refusals.ts';
import { loadShedding } from './http/load-shedding.ts';
import { malformedRequests } from './http/malformed-requests.ts';
import { addRequestBodies, BODY_FAULTS } from './http/request-bodies.ts';
import { addRequestIds, requestId } from './http/request-id.ts';
import { connectionLimit, requestLimit } from './http/request-limit.ts';
import { addRequestLog, type NoteRefusal } from './http/request-log.ts';
import { ROUTER_OPTIONS, routeFinder } from './http/route-finder.ts';
import { addSecurityHeaders, type ResponseHeaders, responseHeaders } from './http/security-headers.ts';
import type { SentResponse } from './http/sent-response.ts';
import { addVitalsRoute } from './http/vitals-route.ts';
import { isCallerGone } from './lib/caller.ts';
import { systemClock } from './lib/clock.ts';
import { logLines } from './lib/log.ts';
import { outOfFiles, overloadIn } from './lib/overloaded.ts';
import type { InventoryStatus, ServerStatus } from './lib/server-status.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from './lib/store-unavailable.ts';
import { type Tally, tally } from './lib/tally.ts';
import { INTERRUPTED, isThreadEnded } from './lib/thread-ended.ts';
import { type Accepting, processLoop } from './lib/work-queue/turns.ts';
import type { WorkQueue } from './lib/work-queue.ts';
import { addMetricsRoute, type MetricsSetting } from './metrics/metrics-route.ts';
import { registerQueueMetrics } from './metrics/queue-metrics.ts';
import { addRequestMetrics, requestMetrics } from './metrics/request-metrics.ts';
import { searchMetrics } from './metrics/search-metrics.ts';
import { vitalMetrics } from './metrics/vital-metrics.ts';
import { graphqlAnswers } from './package-search/answer-graphql.ts';
import { cheapestDates } from './package-search/cheapest-dates.ts';
import { explore } from './package-search/explore.ts';
import { addGraphqlRoute } from './package-search/graphql-route.ts';
import type { Collapse, PackageRepository } from './package-search/package-repository.ts';
import { cachedPartiesOnSale } from './package-search/parties-on-sale.ts';
import { priceCalendar } from './package-search/price-calendar.ts';
import { packageSearch } from './package-search/search-packages.ts';
import { type Brand, readOtherNames } from './page/brand-folder.ts';
import { paintedBrand } from './page/brand-routes.ts';
import { addPlainStylesheet, type HtmlPage, htmlPages } from './page/html-page.ts';
import { addNotFound } from './page/not-found.ts';
import type { Operator } from './page/operator.ts';
import { addPageRoutes, type PageFolders } from './page/page-routes.ts';
import { dropFileHeaders, hasFile, isRefusedFile } from './page/refused-files.ts';
import { addSitePages } from './page/site-pages.ts';
import { buildPageConfig, type PageSetting } from './page-config.ts';
import { addPageConfigRoute } from './page-config-route.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceAnalysisQuery } from './price-history/price-analysis-query.ts';
import { priceHistoryQuery } from './price-history/price-history-query.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { addVisitRoute } from './visits/visit-route.ts';

/** Bytes. No legitimate request is larger. */
const MAX_BODY = 64 * 1024;

/** Everything the app needs. The app opens and closes nothing but its own connections. */
interface AppServices {
  repository: PackageRepository;
  /** The queues that requests wait in, besides the app's own, to be measured. */
  queues?: readonly WorkQueue[];
  /** Omitted: no package has a price analysis. */
  priceAnalyses?: PriceAnalyses;
  /** Omitted: visits to providers are not recorded. */
  visits?: RecordVisits;
  /** Omitted: price alerts are not offered. */
  alerts?: AppAlerts;
  /** Omitted: nothing is measured, and the page reports no Web Vitals. */
  metrics?: MetricsSetting;
  /** Omitted: providers have neither logos nor ATOL numbers. */
  providerSettings?: readonly HolidayProvider[];
  setting: PageSetting & {
    brand: Brand;
    publicUrl: string | null;
    operator: Operator;
    collapse: Collapse;
    introspection: boolean;
    /** As in `Config`. Omitted: none. */
    trustedProxies?: readonly string[];
    requestLimit?: number;
  };
  tokenKey: Uint8Array;
  folders: PageFolders;
  inventory: Readonly<InventoryStatus>;
  /** Free bytes on the disk of the embedded store; null if they are not known. Omitted: there is no such store. */
  freeBytes?: () => number | null;
  /** Whether the file of the alerts' key was removed. Default: it was not. */
  isKeyMissing?: () => boolean;
  /** Omitted: the server never stops. */
  serverStatus?: Readonly<ServerStatus>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds since any moment; never set back. Omitted: the machine's. */
  monotonicNow?: () => number;
  /** The lowest level to log, one line of JSON per request to standard output. Null: no log. */
  logLevel: 'info' | 'warn' | 'error' | null;
  /** Omitted: the log goes to standard output. */
  logTo?: (line: string) => void;
}

/** Builds the HTTP app, ready to listen or to be injected into. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { metrics, setting, now, monotonicNow = machineClock } = services;
  const headers = responseHeaders({
    priceAnalysisUrl: setting.priceAnalysisUrl,
    conversationEndpoint: services.alerts?.config.conversationEndpoint ?? '',
    builtPage: services.folders.page,
  });
  const observe = metrics ? requestMetrics(metrics.registry) : () => {};
  const addresses = clientAddresses(setting.trustedProxies ?? []);
  const loop = processLoop(ACCEPTING_BETWEEN_ENTRIES);
  const heldBack = tally(CROWD);
  const refusals = heldRefusals(systemClock, heldBack);
  const front: Front = { headers, observe, addresses, refusals, heldBack };
  const tarpit = connectionTarpit({ ...front, clock: systemClock });
  const admitted = admissionOf(services, { ...front, isCut: tarpit.isCut, loop });
  const app = createApp(services, front, {
    ...connectionLimits(services, addresses),
    inFrontOf: admitted.inFrontOf,
    receivesConnection(socket, parse) {
      loop.accepted();
      tarpit.receive(socket, parse);
    },
  });
  app.addHook('preClose', async () => tarpit.end());
  admitted.follow(app);
  addRequestIds(app);
  addRequestMetrics(app, observe);
  const noteRefusal = addRequestLog(app, monotonicNow);
  addErrorHandler(app, services.folders.page, noteRefusal);
  addSecurityHeaders(app, headers);
  const writePage = await addPages(app, services);
  refuseCompressedBodies(app);
  const readBody = addRequestBodies(app);
  addSearch(app, services);
  if (services.visits) {
    addVisitRoute(app, { visits: services.visits, tokenKey: services.tokenKey, now, monotonicNow });
  }
  if (metrics) {
    addVitalsRoute(app, vitalMetrics(metrics.registry));
    addMetricsRoute(app, metrics);
  }
  if (services.alerts) {
    const { folders } = services;
    await addAlerts(app, services.alerts, {
      ...setting,
      providerUrl: setting.providerUrl ?? '/',
      folders,
      write: writePage,
      noteRefusal,
      readBody,
    });
  }
  addPageConfig(app, services);
  addHealth(app, services, noteRefusal);
  return app;
}

/** Between two passes that begin requests, which are shorter than passes with searches. */
const ACCEPTING_BETWEEN_ENTRIES: Accepting = { most: 128, share: 1 };

function machineClock(): number {
  return performance.now();
}

/** What each request meets first. */
interface Front {
  headers: ResponseHeaders;
  observe: (response: SentResponse) => void;
  addresses: ClientAddresses;
  refusals: HeldRefusals;
  /** The requests that are held back, by their networks. */
  heldBack: Tally;
}

function admissionOf(
  { metrics, setting, monotonicNow = machineClock }: AppServices,
  { loop, ...front }: Front & { isCut: ConnectionTarpit['isCut']; loop: EntranceLoop },
): Admission {
  return admission({
    ...front,
    entrance: entrance(loop),
    clock: systemClock,
    routes: routeFinder(),
    shedding: loadShedding({ clock: systemClock, registry: metrics?.registry ?? null }),
    limit: requestLimit(setting.requestLimit ?? 0, { ...systemClock, now: monotonicNow }, front.heldBack),
  });
}

/** What a connection's own address may do. */
function connectionLimits(
  { setting, monotonicNow = machineClock }: AppServices,
  addresses: ClientAddresses,
): Pick<ConnectionLimits, 'networkOf' | 'takesConnection'> {
  const networkOf = connectingNetwork(addresses);
  const isWithin = connectionLimit(setting.requestLimit ?? 0, monotonicNow);
  return { networkOf, takesConnection: (address) => networkOf(address) === null || isWithin(address) };
}

function createApp(
  services: AppServices,
  { headers, observe, addresses, refusals }: Front,
  { inFrontOf, ...limits }: Pick<Admission, 'inFrontOf'> & Partial<ConnectionLimits>,
): FastifyInstance {
  const { logLevel, logTo } = services;
  const app: FastifyInstance = Fastify({
    logger: logLevel !== null && {
      base: null,
      level: logLevel,
      stream: logTo ? { write: logTo } : logLines,
    },
    genReqId: requestId,
    trustProxy: addresses.trusts,
    serverFactory: (handler) => boundedServer(inFrontOf(handler), limits),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    forceCloseConnections: 'idle',
    // What comes while the app closes is refused in front of it, like everything else.
    return503OnClosing: false,
    routerOptions: ROUTER_OPTIONS,
    ...malformedRequests({
      headers: headers.ofPage,
      clock: systemClock,
      refusals,
      observe,
      logger: () => app.log,
    }),
  });
  return app;
}

function addErrorHandler(app: FastifyInstance, builtPage: string | null, noteRefusal: NoteRefusal): void {
  const answer = (
    error: Error & { statusCode?: number; code?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    if (isStoreUnavailable(error)) {
      noteRefusal(request, error);
      return reply.code(503).header('retry-after', '5').send({ error: STORE_UNAVAILABLE });
    }
    const overload = overloadIn(error);
    if (overload !== null) {
      noteRefusal(request, overload);
      return reply
        .code(503)
        .header('retry-after', String(overload.retryAfter))
        .send({ error: overload.message });
    }
    if (isThreadEnded(error)) {
      noteRefusal(request, error);
      return reply.code(503).header('retry-after', '2').send({ error: INTERRUPTED });
    }
    // Nobody reads the answer; the status is for the log.
    if (isCallerGone(error)) return reply.code(CALLER_GONE).send();
    const status = error.statusCode ?? 500;
    if (status === 503) {
      noteRefusal(request, error.message);
      return reply.code(status).header('retry-after', '2').send({ error: error.message });
    }
    if (status < 500)
      return reply.code(status).send({ error: BODY_FAULTS[error.code ?? ''] ?? error.message });
    noteRefusal(request, error);
    return reply.code(status).send({ error: 'Something went wrong here. Please try again.' });
  };
  app.setErrorHandler(async (error: Error, request, reply) => {
    dropFileHeaders(reply);
    reply.header('cache-control', 'no-store');
    if (!isRefusedFile(error)) return answer(error, request, reply);
    if (await hasFile(builtPage, request.url)) return answer(outOfFiles(), request, reply);
    return reply.callNotFound();
  });
}

/** The page, its lists and its brand. Returns the writer of the server's own HTML pages. */
async function addPages(
  app: FastifyInstance,
  { setting, folders, now }: AppServices,
): Promise<(page: HtmlPage) => string> {
  await addCompression(app);
  const painted = paintedBrand(setting.brandName, setting.brand);
  const { brand, brandName, publicUrl, operator } = setting;
  await addPageRoutes(app, folders, { brand, painted, site: { brandName, publicUrl } });
  const writePage = htmlPages(folders.page, painted);
  addSitePages(app, { brandName, publicUrl, operator, logoUrl: painted.logoUrl, write: writePage, now });
  addPlainStylesheet(app, folders.lists);
  addNotFound(app, setting.brandName, writePage);
  return writePage;
}

function addSearch(app: FastifyInstance, services: AppServices): void {
  const { repository, setting, metrics, now, queues = [] } = services;
  const { brandCode, collapse } = setting;
  const search = packageSearch({ repository, brandCode, collapse, tokenKey: services.tokenKey, now });
  if (metrics) registerQueueMetrics(metrics.registry, queues);
  const measured = metrics
    ? searchMetrics(metrics.registry)
    : (_path: unknown, plain: typeof search) => plain;
  addGraphqlRoute(app, {
    apiKey: setting.searchApiKey,
    answerGraphql: graphqlAnswers(
      { direct: measured('direct', search), schema: measured('schema', search) },
      {
        priceAnalysis: priceAnalysisQuery(services.priceAnalyses ?? null, now),
        priceHistory: priceHistoryQuery(services.priceAnalyses ?? null, now),
        cheapestDates: cheapestDates({ repository, brandCode, now }),
        priceCalendar: priceCalendar({ repository, brandCode, now }),
        explore: explore({ repository, brandCode, now }),
      },
      { introspection: setting.introspection, collapse },
    ),
  });
}

function addPageConfig(app: FastifyInstance, services: AppServices): void {
  const { repository, setting, folders, metrics } = services;
  const otherNames = setting.brand.otherNames ?? readOtherNames(folders.lists) ?? {};
  const partiesOnSale = cachedPartiesOnSale(repository.partiesOnSale, services.now);
  addPageConfigRoute(app, async () => {
    const [catalogue, parties] = await Promise.all([repository.catalogue(), partiesOnSale()]);
    const build = () =>
      buildPageConfig(
        { ...setting, otherNames, measuresVitals: metrics !== undefined, parties },
        [...catalogue.providers.values()],
        services.providerSettings ?? [],
        services.alerts === undefined
          ? null
          : { ...services.alerts.config, webPushKey: services.alerts.webPushKey ?? null },
      );
    return { of: [catalogue.version, parties], build };
  });
}

function addHealth(app: FastifyInstance, services: AppServices, noteRefusal: NoteRefusal): void {
  const { repository, folders, inventory, serverStatus = { isStopping: false } } = services;
  addHealthRoutes(app, {
    inventory,
    serverStatus,
    pingStore: () => repository.referenceVersion(),
    noteRefusal,
    freeBytes: services.freeBytes ?? (() => null),
    isKeyMissing: services.isKeyMissing ?? (() => false),
    hasPage: () => folders.page === null || existsSync(join(folders.page, 'index.html')),
  });
}
