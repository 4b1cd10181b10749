import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AdminOptions, adminPlugin } from './admin/admin-plugin.ts';
import { type AppAlerts, alertsPlugin } from './alerts/http/alerts-plugin.ts';
import { type Finding, problemsOf } from './conditions/condition.ts';
import { SERVER_CONDITIONS } from './conditions/server-conditions.ts';
import { QUIET_SERVER, type ServerView } from './conditions/server-view.ts';
import type { HolidayProvider } from './feed/map/holiday-providers.ts';
import { hotelPagePlugin } from './hotel-page/hotel-page-plugin.ts';
import { searchDescriber } from './hotel-page/search-describer.ts';
import { createApp, type HttpOptions } from './http/create-app.ts';
import { healthPlugin, type ServerHealth } from './http/health-plugin.ts';
import { readUnfinishedWork } from './ingest/complete-store.ts';
import { photoPaths } from './inventory/photo-path.ts';
import type { WorkQueue } from './lib/work-queue.ts';
import { type MetricsOptions, metricsPlugin } from './metrics/metrics-plugin.ts';
import { registerQueueMetrics } from './metrics/queue-metrics.ts';
import { requestMetrics } from './metrics/request-metrics.ts';
import { answerCacheMetrics, searchMetrics } from './metrics/search-metrics.ts';
import type { PackageRepository } from './package-search/query/package-repository.ts';
import { type SearchOptions, searchPlugin, searchService } from './package-search/search-plugin.ts';
import type { Brand } from './page/brand-folder.ts';
import { paintedBrand } from './page/brand-routes.ts';
import { addHtmlPages, type PageFolders } from './page/html-page.ts';
import { addNotFound } from './page/not-found.ts';
import type { Operator } from './page/operator.ts';
import { otherNamesOf, pagePlugin, previewLists } from './page/page-plugin.ts';
import { mapTilesOf, type PageSetting } from './page-config.ts';
import { pageConfigPlugin } from './page-config-route.ts';
import { type PhotosOptions, photosPlugin } from './photos/photos-plugin.ts';
import { placePagePlugin } from './place-page/place-page-plugin.ts';
import { sitemapPlugin } from './place-page/sitemap-plugin.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceRecordPlugin } from './price-record/price-record-plugin.ts';
import type { PriceRecordApi } from './price-record/record-store.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { visitsPlugin } from './visits/visits-plugin.ts';
import { vitalMetrics } from './vitals/vital-metrics.ts';
import { vitalSummaries } from './vitals/vital-summaries.ts';
import { vitalsPlugin } from './vitals/vitals-plugin.ts';

/** What the app needs. It does not close these services. */
export interface AppServices extends Pick<HttpOptions, 'logLevel' | 'logTo'> {
  repository: PackageRepository;
  /** The queues of requests to show in the metrics. */
  queues: readonly WorkQueue[];
  priceAnalyses: PriceAnalyses;
  priceRecord: PriceRecordApi;
  visits: RecordVisits;
  /** Omitted: no price alerts. */
  alerts?: AppAlerts;
  /** Omitted: no /admin. */
  admin?: Pick<AdminOptions, 'readFacts' | 'commands' | 'path' | 'listen' | 'isSecure'>;
  metrics: MetricsOptions;
  /** The folder in which photos are cached, and its maximum size. Omitted: no photos. */
  photos?: Pick<PhotosOptions, 'folder' | 'maxBytes'>;
  /** The operator's settings of providers. */
  providers: () => readonly HolidayProvider[];
  health: ServerHealth & {
    /** PostgreSQL servers that are not used. */
    faultyServers(): ServerView['servers'];
    /** What is wrong as far as the store shows, when it was last read. */
    problemsInStore(): Promise<readonly Finding[]>;
  };
  setting: PageSetting &
    Pick<SearchOptions, 'collapse' | 'introspection'> &
    Pick<HttpOptions, 'trustedProxies' | 'requestLimit'> & {
      brand: Brand;
      publicUrl: string | null;
      operator: Operator;
      mcp: boolean;
      mode: 'production' | 'development' | 'test';
    };
  tokenKey: Uint8Array;
  folders: PageFolders;
  /** In milliseconds since 1970. */
  now: () => number;
  /** In monotonic milliseconds. Omitted: the machine's clock. */
  monotonicNow?: () => number;
}

/** Builds the HTTP app, ready to listen or for `inject`: one plugin per feature. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { repository, metrics, providers, setting, tokenKey, folders, now } = services;
  const { monotonicNow = () => performance.now(), alerts = null, health } = services;
  const { brand, brandName, brandCode, operator, publicUrl } = setting;
  const app = await createApp({
    ...services,
    trustedProxies: setting.trustedProxies,
    requestLimit: setting.requestLimit,
    policy: {
      priceAnalysisUrl: setting.priceAnalysisUrl,
      conversationEndpoint: alerts?.config.conversationEndpoint ?? '',
      mapTiles: setting.mapTiles,
      builtPage: folders.page,
    },
    observe: requestMetrics(metrics.registry),
    monotonicNow,
  });
  const painted = paintedBrand(brandName, brand);
  await addHtmlPages(app, folders, painted);
  addNotFound(app);

  const lists = previewLists(folders, brand);
  const search = searchService({
    repository,
    priceAnalyses: services.priceAnalyses,
    brandCode,
    collapse: setting.collapse,
    introspection: setting.introspection,
    tokenKey,
    now,
    measured: searchMetrics(metrics.registry),
    onLookUp: answerCacheMetrics(metrics.registry),
  });
  const { executeGraphql, charge } = search;
  const describeSearch = searchDescriber({ executeGraphql, airports: lists.airports, brandCode, now });
  await app.register(pagePlugin, {
    folders,
    brand,
    painted,
    publicUrl,
    operator,
    lists,
    describeSearch,
    now,
  });
  await app.register(hotelPagePlugin, {
    repository,
    priceAnalyses: services.priceAnalyses,
    airports: lists.airports,
    brandCode,
    tokenKey,
    providers,
    site: { brandName, publicUrl },
    offersAlerts: alerts?.config.isOffered ?? false,
    priceAnalysisUrl: setting.priceAnalysisUrl,
    mapTiles: mapTilesOf(setting),
    now,
  });
  const site = { brandName, publicUrl };
  const airportCodes = [
    ...new Set(lists.airports.filter(({ isRegion }) => !isRegion).map(({ code }) => code)),
  ];
  await app.register(placePagePlugin, { repository, airportCodes, brandCode, charge, site, now });
  const isProduction = setting.mode === 'production';
  await app.register(sitemapPlugin, {
    repository,
    airportCodes,
    brandCode,
    charge,
    publicUrl,
    isProduction,
    now,
  });
  registerQueueMetrics(metrics.registry, services.queues);
  await app.register(searchPlugin, { apiKey: setting.searchApiKey, executeGraphql });
  if (setting.mcp) {
    const { mcpPlugin } = await import('./mcp/mcp-plugin.ts');
    await app.register(mcpPlugin, {
      ...search,
      repository,
      priceAnalyses: services.priceAnalyses,
      lists: { ...lists, otherNames: otherNamesOf(brand, folders) },
      brandCode,
      brandName,
      publicUrl,
      isProduction,
      tokenKey,
      now,
    });
  }
  if (services.photos) {
    const hosts = () => providers().flatMap(({ photoHosts }) => photoHosts);
    await app.register(photosPlugin, { ...services.photos, paths: photoPaths(tokenKey), hosts, now });
  }
  const { priceRecord } = services;
  const { sampleInventory } = setting;
  await app.register(priceRecordPlugin, { priceRecord, brandName, sampleInventory });
  await app.register(visitsPlugin, { visits: services.visits, tokenKey, now, monotonicNow });
  await app.register(metricsPlugin, metrics);
  await app.register(vitalsPlugin, { observe: vitalMetrics(metrics.registry) });
  if (alerts) {
    await app.register(alertsPlugin, { ...alerts, brandName, operator, sampleInventory });
  }
  if (services.admin) {
    await app.register(adminPlugin, {
      ...services.admin,
      lists: {
        locations: brand.lists.locations ?? folders.lists,
        airports: brand.lists.airports ?? folders.lists,
      },
      readNote: (name) => repository.readNote(name),
      registry: metrics.registry,
      freeBytes: health.freeBytes,
      problemsOfServer,
      tokenKey,
      now,
      monotonicNow,
    });
  }
  await app.register(pageConfigPlugin, { repository, setting, providers, alerts, lists: folders.lists, now });
  await app.register(healthPlugin, {
    ...health,
    pingStore: () => repository.referenceVersion(),
    problems: async (storeFault) => [
      ...(await problemsOfServer(storeFault)),
      ...(await health.problemsInStore()),
    ],
  });
  return app;

  async function problemsOfServer(storeFault: string | null = null): Promise<Finding[]> {
    return problemsOf(SERVER_CONDITIONS, {
      ...QUIET_SERVER,
      now: now(),
      storeFault,
      hasPage: folders.page === null || existsSync(join(folders.page, 'index.html')),
      freeBytes: health.freeBytes(),
      isKeyMissing: health.isKeyMissing(),
      servers: health.faultyServers(),
      unfinished: storeFault === null ? await readUnfinishedWork((name) => repository.readNote(name)) : [],
      vitals: await vitalSummaries(metrics.registry),
    });
  }
}
