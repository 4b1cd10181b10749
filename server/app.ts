import { existsSync } from 'node:fs';
import { join } from 'node:path';
import compress from '@fastify/compress';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import { type AppAlerts, addAlerts } from './alerts/http/add-alerts.ts';
import type { HolidayProvider } from './feed/holiday-providers.ts';
import { refuseCompressedBodies } from './http/content-encoding.ts';
import { addHealthRoutes } from './http/health-routes.ts';
import { addRequestIds, requestId } from './http/request-id.ts';
import { addRequestLimit } from './http/request-limit.ts';
import { addRequestLog, type NoteRefusal } from './http/request-log.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { addVitalsRoute } from './http/vitals-route.ts';
import type { InventoryStatus, ServerStatus } from './lib/server-status.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from './lib/store-unavailable.ts';
import { addMetricsRoute } from './metrics/metrics-route.ts';
import { addRequestMetrics } from './metrics/request-metrics.ts';
import { searchMetrics } from './metrics/search-metrics.ts';
import { vitalMetrics } from './metrics/vital-metrics.ts';
import { graphqlAnswers } from './package-search/answer-graphql.ts';
import { cheapestDates } from './package-search/cheapest-dates.ts';
import { addGraphqlRoute } from './package-search/graphql-route.ts';
import type { Collapse, PackageRepository } from './package-search/package-repository.ts';
import { packageSearch } from './package-search/search-packages.ts';
import { type Brand, readOtherNames } from './page/brand-folder.ts';
import { paintedBrand } from './page/brand-routes.ts';
import { addPlainStylesheet, type HtmlPage, htmlPages } from './page/html-page.ts';
import { addNotFound } from './page/not-found.ts';
import { addPageRoutes, type PageFolders } from './page/page-routes.ts';
import { buildPageConfig, type PageSetting } from './page-config.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceAnalysisQuery } from './price-history/price-analysis-query.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { addVisitRoute } from './visits/visit-route.ts';

/** Bytes. No legitimate request is larger. */
const MAX_BODY = 64 * 1024;

/** Milliseconds within which a whole request must arrive. */
const REQUEST_TIMEOUT = 30_000;

/** Everything the app needs. The app opens and closes nothing but its own connections. */
interface AppServices {
  repository: PackageRepository;
  /** Omitted: no package has a price analysis. */
  priceAnalyses?: PriceAnalyses;
  /** Omitted: visits to providers are not recorded. */
  visits?: RecordVisits;
  /** Omitted: price alerts are not offered. */
  alerts?: AppAlerts;
  /** Omitted: nothing is measured, and the page reports no Web Vitals. */
  metrics?: { registry: Registry; token: string | null };
  /** Omitted: providers have neither logos nor ATOL numbers. */
  providerSettings?: readonly HolidayProvider[];
  setting: PageSetting & {
    brand: Brand;
    collapse: Collapse;
    introspection: boolean;
    /** As in `Config`. Omitted: none. */
    trustedProxies?: readonly string[];
    requestLimit?: number;
  };
  tokenKey: Uint8Array;
  folders: PageFolders;
  inventory: Readonly<InventoryStatus>;
  /** Omitted: the server never stops. */
  serverStatus?: Readonly<ServerStatus>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The lowest level to log, one line of JSON per request to standard output. Null: no log. */
  logLevel: 'info' | 'warn' | 'error' | null;
}

/** Builds the HTTP app, ready to listen or to be injected into. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { metrics, setting, now } = services;
  const app = createApp(services);
  addRequestIds(app);
  if (metrics) addRequestMetrics(app, metrics.registry);
  const noteRefusal = addRequestLog(app, now);
  addErrorHandler(app, noteRefusal);
  const writePage = await addPages(app, services);
  addRequestLimit(app, setting.requestLimit ?? 0, now);
  refuseCompressedBodies(app);
  addSearch(app, services);
  if (services.visits) addVisitRoute(app, { visits: services.visits, tokenKey: services.tokenKey, now });
  if (metrics) {
    addVitalsRoute(app, vitalMetrics(metrics.registry));
    addMetricsRoute(app, metrics.registry, metrics.token);
  }
  if (services.alerts) {
    const { folders } = services;
    await addAlerts(app, services.alerts, { ...setting, folders, write: writePage, noteRefusal });
  }
  addPageConfig(app, services);
  addHealth(app, services, noteRefusal);
  return app;
}

function createApp({ setting: { trustedProxies = [] }, logLevel }: AppServices): FastifyInstance {
  const app = Fastify({
    logger: logLevel !== null && { base: null, level: logLevel },
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: REQUEST_TIMEOUT,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
  });
  // A form on any site could post text/plain here without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  return app;
}

function addErrorHandler(app: FastifyInstance, noteRefusal: NoteRefusal): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (isStoreUnavailable(error)) {
      noteRefusal(request, error);
      return reply.code(503).header('retry-after', '5').send({ error: STORE_UNAVAILABLE });
    }
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message });
    request.log.error(error);
    return reply.code(status).send({ error: 'Something went wrong here. Please try again.' });
  });
}

/** The page, its lists and its brand. Returns the writer of the server's own HTML pages. */
async function addPages(
  app: FastifyInstance,
  { setting, folders, alerts }: AppServices,
): Promise<(page: HtmlPage) => string> {
  addSecurityHeaders(app, {
    priceAnalysisUrl: setting.priceAnalysisUrl,
    conversationEndpoint: alerts?.config.conversationEndpoint ?? '',
    builtPage: folders.page,
  });
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'], globalDecompression: false });
  const painted = paintedBrand(setting.brandName, setting.brand);
  await addPageRoutes(app, folders, setting.brand, painted);
  const writePage = htmlPages(folders.page, painted);
  addPlainStylesheet(app, folders.lists);
  addNotFound(app, setting.brandName, writePage);
  return writePage;
}

function addSearch(app: FastifyInstance, services: AppServices): void {
  const { repository, setting, metrics, now } = services;
  const { brandCode, collapse } = setting;
  const search = packageSearch({ repository, brandCode, collapse, tokenKey: services.tokenKey, now });
  const measured = metrics
    ? searchMetrics(metrics.registry)
    : (_path: unknown, plain: typeof search) => plain;
  addGraphqlRoute(app, {
    apiKey: setting.searchApiKey,
    answerGraphql: graphqlAnswers(
      { direct: measured('direct', search), schema: measured('schema', search) },
      {
        priceAnalysis: priceAnalysisQuery(services.priceAnalyses ?? null, now),
        cheapestDates: cheapestDates({ repository, brandCode, now }),
      },
      { introspection: setting.introspection },
    ),
  });
}

function addPageConfig(app: FastifyInstance, services: AppServices): void {
  const { repository, setting, folders, metrics } = services;
  const otherNames = setting.brand.otherNames ?? readOtherNames(folders.lists) ?? {};
  app.get('/config.json', async (_request, reply) => {
    const catalogue = await repository.catalogue();
    const config = buildPageConfig(
      { ...setting, otherNames, measuresVitals: metrics !== undefined },
      [...catalogue.providers.values()],
      services.providerSettings ?? [],
      services.alerts?.config ?? null,
    );
    return reply.header('cache-control', 'no-cache').send(config);
  });
}

function addHealth(app: FastifyInstance, services: AppServices, noteRefusal: NoteRefusal): void {
  const { repository, folders, inventory, serverStatus = { isStopping: false } } = services;
  addHealthRoutes(app, {
    inventory,
    serverStatus,
    pingStore: () => repository.referenceVersion(),
    noteRefusal,
    hasPage: () => folders.page === null || existsSync(join(folders.page, 'index.html')),
  });
}
