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
import { addRequestLog } from './http/request-log.ts';
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
import { addPlainStylesheet, htmlPages } from './page/html-page.ts';
import { addNotFound } from './page/not-found.ts';
import { addPageRoutes, type PageFolders } from './page/page-routes.ts';
import { buildPageConfig, type PageSetting } from './page-config.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceAnalysisQuery } from './price-history/price-analysis-query.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { addVisitRoute } from './visits/visit-route.ts';

/** No request of ours is larger, in bytes. */
const LARGEST_BODY = 64 * 1024;

/** A request that has not come whole by then, in milliseconds, is cut off. */
const SLOWEST_REQUEST = 30_000;

/** What the app is made of. It opens nothing itself, and closes nothing but its own connections. */
export interface AppServices {
  repository: PackageRepository;
  /** Left out: no package has an analysis. */
  priceAnalyses?: PriceAnalyses;
  /** Left out: click-throughs are not recorded. */
  visits?: RecordVisits;
  /** Left out: nobody can ask for price alerts. */
  alerts?: AppAlerts;
  /** Left out: nothing is measured, and the page is not asked how quick it was. */
  metrics?: { registry: Registry; token: string | null };
  /** Left out: providers have neither logos nor ATOL numbers. */
  providerSettings?: readonly HolidayProvider[];
  setting: PageSetting & {
    brand: Brand;
    collapse: Collapse;
    introspection: boolean;
    /** As in `Config`; left out: none. */
    trustedProxies?: readonly string[];
    requestLimit?: number;
  };
  tokenKey: Uint8Array;
  folders: PageFolders;
  inventory: Readonly<InventoryStatus>;
  /** Left out: it never stops. */
  serverStatus?: Readonly<ServerStatus>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From which level on to write the log, a line of JSON a request, to standard output; null: no log. */
  logLevel: 'info' | 'warn' | 'error' | null;
}

/** Builds the HTTP app from its services, ready to listen or to be injected. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { repository, setting, metrics, folders } = services;
  const { trustedProxies = [], requestLimit = 0 } = setting;
  const app = Fastify({
    logger: services.logLevel !== null && { base: null, level: services.logLevel },
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: SLOWEST_REQUEST,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LARGEST_BODY,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
  });
  // Text bodies would let any site's form post here without asking the browser first.
  app.removeContentTypeParser('text/plain');

  addRequestIds(app);
  if (metrics) addRequestMetrics(app, metrics.registry);
  const noteRefusal = addRequestLog(app, services.now);
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

  addSecurityHeaders(app, {
    priceAnalysisUrl: setting.priceAnalysisUrl,
    conversationEndpoint: services.alerts?.config.conversationEndpoint ?? '',
    builtPage: folders.page,
  });
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'], globalDecompression: false });
  const painted = paintedBrand(setting.brandName, setting.brand);
  await addPageRoutes(app, folders, setting.brand, painted);
  const write = htmlPages(folders.page, painted);
  addPlainStylesheet(app, folders.lists);
  addNotFound(app, setting.brandName, write);
  addRequestLimit(app, requestLimit, services.now);
  refuseCompressedBodies(app);
  const search = packageSearch({
    repository,
    brandCode: setting.brandCode,
    collapse: setting.collapse,
    tokenKey: services.tokenKey,
    now: services.now,
  });
  const measured = metrics
    ? searchMetrics(metrics.registry)
    : (_path: unknown, plain: typeof search) => plain;
  addGraphqlRoute(app, {
    apiKey: setting.searchApiKey,
    answerGraphql: graphqlAnswers(
      { direct: measured('direct', search), schema: measured('schema', search) },
      {
        priceAnalysis: priceAnalysisQuery(services.priceAnalyses ?? null, services.now),
        cheapestDates: cheapestDates({ repository, brandCode: setting.brandCode, now: services.now }),
      },
      { introspection: setting.introspection },
    ),
  });
  if (services.visits) addVisitRoute(app, services.visits, services.now);
  if (metrics) {
    addVitalsRoute(app, vitalMetrics(metrics.registry));
    addMetricsRoute(app, metrics.registry, metrics.token);
  }
  if (services.alerts) {
    await addAlerts(app, services.alerts, { ...setting, folders, write, noteRefusal });
  }
  const otherNames = setting.brand.otherNames ?? readOtherNames(folders.lists) ?? {};
  app.get('/config.json', async (_request, reply) => {
    const catalogue = await repository.catalogue();
    return reply
      .header('cache-control', 'no-cache')
      .send(
        buildPageConfig(
          { ...setting, otherNames, measuresVitals: metrics !== undefined },
          [...catalogue.providers.values()],
          services.providerSettings ?? [],
          services.alerts?.config ?? null,
        ),
      );
  });
  addHealthRoutes(app, {
    inventory: services.inventory,
    serverStatus: services.serverStatus ?? { isStopping: false },
    pingStore: () => repository.referenceVersion(),
    noteRefusal,
    hasPage: () => folders.page === null || existsSync(join(folders.page, 'index.html')),
  });
  return app;
}
