import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { ALERT_FAILED_MESSAGE } from '../../../domain/alert-signup.ts';
import type { ReadBody } from '../../http/request-bodies.ts';
import type { NoteRefusal } from '../../http/request-log.ts';
import type { ErrorCode } from '../../lib/error-codes.ts';
import { overloadIn } from '../../lib/overloaded.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from '../../lib/store-unavailable.ts';
import type { htmlPages } from '../../page/html-page.ts';
import type { Operator } from '../../page/operator.ts';
import type { AlertService } from '../alert-service.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import { addOutboxRoutes } from '../outbox/outbox-routes.ts';
import { addClickCounter } from './count-clicks.ts';
import { addIntentsRoute } from './intents-route.ts';
import { addLinkRoutes } from './link-routes.ts';
import { addManageRoutes } from './manage-routes.ts';
import { privacyPage } from './privacy-page.ts';
import { addWebhookRoutes } from './webhook-routes.ts';

export interface AppAlerts {
  service: AlertService;
  config: AlertsConfig;
  /** The public key for browsers' push subscriptions. Omitted or null: the page does not offer web push. */
  webPushKey?: string | null;
}

export interface AlertsAppOptions {
  brandName: string;
  operator: Operator;
  sampleInventory: boolean;
  folders: { page: string | null; lists: string };
  /** Renders a page in the site's layout. */
  write: ReturnType<typeof htmlPages>;
  noteRefusal: NoteRefusal;
  readBody: ReadBody;
}

/** Adds the alerts' routes: sign-up, webhook, links, privacy page and local outbox. */
export async function addAlerts(
  app: FastifyInstance,
  { service, config }: AppAlerts,
  options: AlertsAppOptions,
): Promise<void> {
  const { brandName, operator, folders, write } = options;
  addClickCounter(app, service);
  await app.register(async (routes) => {
    routes.setErrorHandler((error: FastifyError, request, reply) => {
      // The framework's own errors have a status, such as 413 for an oversized body.
      if (error.statusCode !== undefined) throw error;
      options.noteRefusal(request, error);
      return alertsUnavailable(reply, error);
    });
    addIntentsRoute(routes, signUpWithHint(app, service, config));
    await addWebhookRoutes(routes, service, { ...options, provider: config.provider });
    await addLinkRoutes(routes, service, options);
    await addManageRoutes(routes, service, { ...options, folder: folders.lists });
  });
  const privacy = write({
    title: 'Privacy',
    brandName,
    description: 'Who runs this site, what we keep for price alerts, why, and how to stop them.',
    styles: [],
    main: privacyPage({ brandName, operator, alerts: config }),
  });
  app.get('/privacy', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(privacy),
  );
  if (config.hasOutboxPage) {
    await addOutboxRoutes(app, service, {
      brandName,
      hasSampleMarket: options.sampleInventory,
      folder: folders.lists,
      write,
      readBody: options.readBody,
    });
  }
}

/** With the local outbox, logs where to read a sign-up's message. */
function signUpWithHint(
  app: FastifyInstance,
  service: AlertService,
  { hasOutboxPage, isOffered }: AlertsConfig,
): AlertService['signUp'] {
  return async (request) => {
    if (!isOffered && request.body.user.platform === 'whatsapp') return { kind: 'not offered' };
    const result = await service.signUp(request);
    if (hasOutboxPage && result.kind === 'ok')
      app.log.warn('No message provider is set: the message of this sign-up is at /outbox');
    return result;
  };
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
