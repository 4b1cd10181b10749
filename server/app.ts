import compress from '@fastify/compress';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { type AppAlerts, addAlerts } from './alerts/add-alerts.ts';
import { addGraphqlRoute } from './graphql-route.ts';
import type { InventoryStatus } from './inventory-status.ts';
import { graphqlAnswers } from './package-search/answer-graphql.ts';
import type { Collapse, PackageRepository } from './package-search/package-repository.ts';
import { packageSearch } from './package-search/search-packages.ts';
import { buildPageConfig, type PageSetting } from './page-config.ts';
import { addPageRoutes, type PageFolders } from './page-routes.ts';
import type { PriceAnalyses } from './price-history/price-analyses.ts';
import { priceAnalysisQuery } from './price-history/price-analysis-query.ts';
import { addSecurityHeaders, pathOf } from './security-headers.ts';
import type { RecordVisits } from './visits/record-visits.ts';
import { addVisitRoute } from './visits/visit-route.ts';

/** No request of ours is larger, in bytes. */
const LARGEST_BODY = 64 * 1024;

/** What the app is made of. It opens nothing itself, and closes nothing but its own connections. */
export interface AppServices {
  repository: PackageRepository;
  /** Left out: no package has an analysis. */
  priceAnalyses?: PriceAnalyses;
  /** Left out: click-throughs are not recorded. */
  visits?: RecordVisits;
  /** Left out: nobody can ask for price alerts. */
  alerts?: AppAlerts;
  setting: PageSetting & { collapse: Collapse; introspection: boolean };
  tokenKey: Uint8Array;
  folders: PageFolders;
  inventory: Readonly<InventoryStatus>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether to write the log, a line of JSON a request, to standard output. */
  log: boolean;
}

/** Builds the HTTP app from its services, ready to listen or to be injected. */
export async function buildApp(services: AppServices): Promise<FastifyInstance> {
  const { repository, setting } = services;
  const app = Fastify({
    logger: services.log && { base: null },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LARGEST_BODY,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
  });
  // Text bodies would let any site's form post here without asking the browser first.
  app.removeContentTypeParser('text/plain');

  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method: request.method, path: pathOf(request.url), status: reply.statusCode, ms });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'There is nothing here.' }));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message });
    request.log.error(error);
    return reply.code(status).send({ error: 'Something went wrong here. Please try again.' });
  });

  const { priceAnalysisUrl } = setting;
  await addSecurityHeaders(app, priceAnalysisUrl, services.alerts?.config.conversationEndpoint ?? '');
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] });
  await addPageRoutes(app, services.folders);
  addGraphqlRoute(app, {
    apiKey: setting.searchApiKey,
    answerGraphql: graphqlAnswers(
      packageSearch({
        repository,
        brandCode: setting.brandCode,
        collapse: setting.collapse,
        tokenKey: services.tokenKey,
        now: services.now,
      }),
      priceAnalysisQuery(services.priceAnalyses ?? null, services.now),
      { introspection: setting.introspection },
    ),
  });
  if (services.visits) addVisitRoute(app, services.visits, services.now);
  if (services.alerts) {
    await addAlerts(app, services.alerts, { ...setting, folders: services.folders });
  }
  app.get('/config.json', async (_request, reply) => {
    const { providers } = await repository.readReference();
    return reply
      .header('cache-control', 'no-cache')
      .send(buildPageConfig(setting, providers, services.alerts?.config ?? null));
  });
  app.get('/healthz', async (_request, reply) => {
    await repository.referenceVersion();
    return reply.header('cache-control', 'no-store').send({ status: 'ok', inventory: services.inventory });
  });
  return app;
}
