import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { ActOnFeed } from './admin/act-on-feed.ts';
import type { AdminFacts } from './admin/admin-facts.ts';
import { addAdminRoutes } from './admin/admin-routes.ts';
import { type AppAlerts, addAlerts } from './alerts/http/add-alerts.ts';
import type { HolidayProvider } from './feed/map/holiday-providers.ts';
import { addCompression } from './http/compression.ts';
import { addErrorHandler } from './http/error-handler.ts';
import { addHealthRoutes } from './http/health-routes.ts';
import { addLimits, SERVER_OPTIONS } from './http/limits.ts';
import { malformedRequests } from './http/malformed-requests.ts';
import { addRequestBodies } from './http/request-bodies.ts';
import { addRequestIds, requestId } from './http/request-id.ts';
import { addRequestLog, type NoteRefusal, type SentResponse } from './http/request-log.ts';
import { addSecurityHeaders, responseHeaders } from './http/security-headers.ts';
import { warnOfUntrustedProxy } from './http/untrusted-proxy.ts';
import { addVitalsRoute } from './http/vitals-route.ts';
import { photoPaths } from './inventory/photo-path.ts';
import { logStream } from './lib/log.ts';
import type { InventoryStatus, ServerStatus } from './lib/server-status.ts';
import type { WorkQueue } from './lib/work-queue.ts';
import { addMetricsRoute, type MetricsSetting } from './metrics/metrics-route.ts';
import { registerQueueMetrics } from './metrics/queue-metrics.ts';
import { requestMetrics } from './metrics/request-metrics.ts';
import { searchMetrics } from './metrics/search-metrics.ts';
import { vitalMetrics } from './metrics/vital-metrics.ts';
import { cheapestDates } from './package-search/cheapest-dates.ts';
import { graphqlExecutor } from './package-search/execute-graphql.ts';
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
import { addSitePages } from './page/site-pages.ts';
import { buildPageConfig, type PageSetting } from './page-config.ts';
import { addPageConfigRoute } from './page-config-route.ts';
import { addPhotoRoute } from './photos/photo-route.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceAnalysisQuery } from './price-history/price-analysis-query.ts';
import { priceHistoryQuery } from './price-history/price-history-query.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { addVisitRoute } from './visits/visit-route.ts';

/** What the app needs. It does not close these services. */
interface AppServices {
  repository: PackageRepository;
  /** More queues of requests to show in the metrics. */
  queues?: readonly WorkQueue[];
  /** Omitted: no price analyses. */
  priceAnalyses?: PriceAnalyses;
  /** Omitted: click-throughs are not recorded. */
  visits?: RecordVisits;
  /** Omitted: no price alerts. */
  alerts?: AppAlerts;
  /** Omitted: no /admin. `isSecure`: visitors use https only. */
  admin?: {
    readFacts(isNew: boolean): Promise<AdminFacts>;
    actOnFeed: ActOnFeed;
    path: string;
    listen?: { host: string; port: number } | null;
    isSecure: boolean;
  };
  /** Omitted: no metrics, and the page reports no Web Vitals. */
  metrics?: MetricsSetting;
  /** The folder in which photos are cached, and its maximum size. Omitted: no photos. */
  photos?: { folder: string; maxBytes: number };
  /** Omitted: providers have neither logos nor ATOL numbers. */
  providerSettings?: () => readonly HolidayProvider[];
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
  /** Free bytes on the embedded store's disk; null if unknown. Omitted: there is no embedded store. */
  freeBytes?: () => number | null;
  /** Whether the alerts' key file was removed. Omitted: it was not. */
  isKeyMissing?: () => boolean;
  serverStatus?: Readonly<ServerStatus>;
  /** In milliseconds since 1970. */
  now: () => number;
  /** In monotonic milliseconds. Omitted: the machine's clock. */
  monotonicNow?: () => number;
  /** The lowest level to log, as JSON lines. Null: no log. */
  logLevel: 'info' | 'warn' | 'error' | null;
  /** Omitted: standard output. */
  logTo?: (line: string) => void;
}

/** Builds the HTTP app, ready to listen or for `inject`. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { metrics, setting, now, monotonicNow = () => performance.now() } = services;
  const headers = responseHeaders({
    priceAnalysisUrl: setting.priceAnalysisUrl,
    conversationEndpoint: services.alerts?.config.conversationEndpoint ?? '',
    builtPage: services.folders.page,
  });
  const observe = metrics ? requestMetrics(metrics.registry) : () => {};
  const app = createApp(services, headers.ofPage, observe);
  addRequestIds(app);
  const noteRefusal = addRequestLog(app, monotonicNow, observe);
  addErrorHandler(app, noteRefusal);
  addSecurityHeaders(app, headers);
  warnOfUntrustedProxy(app, setting.trustedProxies ?? []);
  await addLimits(app, setting.requestLimit ?? 0);
  const writePage = await addPages(app, services);
  const readBody = addRequestBodies(app);
  addSearch(app, services);
  if (services.photos) {
    const { providerSettings: providers = () => [] } = services;
    const hosts = () => providers().flatMap(({ photoHosts }) => photoHosts);
    addPhotoRoute(app, { ...services.photos, paths: photoPaths(services.tokenKey), hosts });
  }
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
      folders,
      write: writePage,
      noteRefusal,
      readBody,
    });
  }
  if (services.admin && metrics) {
    const { repository, tokenKey, folders, freeBytes = () => null } = services;
    await addAdminRoutes(app, {
      listen: null,
      ...services.admin,
      readNote: (name) => repository.readNote(name),
      registry: metrics.registry,
      freeBytes,
      tokenKey,
      brandName: setting.brandName,
      write: writePage,
      readBody,
      folder: folders.lists,
      now,
      monotonicNow,
    });
  }
  addPageConfig(app, services);
  addHealth(app, services, noteRefusal);
  return app;
}

function createApp(
  { setting, logLevel, logTo }: AppServices,
  securityHeaders: Readonly<Record<string, string>>,
  observe: (response: SentResponse) => void,
): FastifyInstance {
  const { trustedProxies = [] } = setting;
  const app: FastifyInstance = Fastify({
    ...SERVER_OPTIONS,
    logger: logLevel !== null && {
      base: null,
      level: logLevel,
      stream: logTo ? { write: logTo } : logStream,
    },
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    logController: new LogController({ disableRequestLogging: true }),
    // The store closes later, so requests on open connections still get responses while the app closes.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    ...malformedRequests(securityHeaders, observe, () => app.log),
  });
  return app;
}

/** Serves the page, its lists and brand. Returns the function that renders the server's own pages. */
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
    executeGraphql: graphqlExecutor(
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
    const known = services.providerSettings?.() ?? [];
    const [catalogue, parties] = await Promise.all([repository.catalogue(), partiesOnSale()]);
    const build = () =>
      buildPageConfig(
        { ...setting, otherNames, hasVitals: metrics !== undefined, parties },
        catalogue,
        known,
        services.alerts === undefined
          ? null
          : { ...services.alerts.config, webPushKey: services.alerts.webPushKey ?? null },
      );
    return { of: [catalogue.version, parties, known], build };
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
