import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { ALERT_FAILED_MESSAGE } from '../../../domain/alert-signup.ts';
import type { ErrorCode } from '../../lib/error-codes.ts';
import { overloadIn } from '../../lib/overloaded.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from '../../lib/store-unavailable.ts';
import type { Operator } from '../../page/operator.ts';
import type { AlertService } from '../alert-service.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import { outboxRoutes } from '../outbox/outbox-routes.ts';
import { addIntentsRoute } from './intents-route.ts';
import { linkRoutes } from './link-routes.ts';
import { privacyPage } from './privacy-page.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface AppAlerts {
  service: AlertService;
  config: AlertsConfig;
  /** The public key for browsers' push subscriptions. Omitted or null: the page does not offer web push. */
  webPushKey?: string | null;
}

export interface AlertsOptions extends AppAlerts {
  brandName: string;
  operator: Operator;
  sampleInventory: boolean;
}

/** The alerts' routes: sign-up, webhook, links, privacy page and local outbox. */
export async function alertsPlugin(app: FastifyInstance, options: AlertsOptions): Promise<void> {
  const { service, config, brandName, operator } = options;
  await app.register(async (routes) => {
    routes.setErrorHandler((error: FastifyError, request, reply) => {
      // The framework's own errors have a status, such as 413 for an oversized body.
      if (error.statusCode !== undefined) throw error;
      request.noteRefusal(error);
      return alertsUnavailable(reply, error);
    });
    addIntentsRoute(routes, service);
    await routes.register(webhookRoutes, { alerts: service, provider: config.provider });
    await routes.register(linkRoutes, { alerts: service });
  });
  const privacy = app.writePage({
    title: 'Privacy',
    description: 'Who runs this site, what we keep for price alerts, why, and how to stop them.',
    styles: [],
    main: privacyPage({ brandName, operator, alerts: config }),
  });
  app.get('/privacy', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(privacy),
  );
  if (config.hasOutboxPage) {
    const hasSampleMarket = options.sampleInventory;
    await app.register(outboxRoutes, { alerts: service, brandName, hasSampleMarket });
  }
}

/** The response if a sign-up or webhook cannot be recorded. The client retries. */
function alertsUnavailable(reply: FastifyReply, error: unknown): FastifyReply {
  const why: { error?: string; code: ErrorCode } = isStoreUnavailable(error)
    ? { error: STORE_UNAVAILABLE, code: 'STORE_UNAVAILABLE' }
    : { code: overloadIn(error) === null ? 'UNAVAILABLE' : 'OVERLOADED' };
  return reply
    .code(503)
    .headers({ 'retry-after': '5', 'cache-control': 'no-store' })
    .send({ message: ALERT_FAILED_MESSAGE, ...why });
}
