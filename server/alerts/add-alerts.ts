import type { FastifyInstance } from 'fastify';
import { addPrivacyPage } from '../privacy-page.ts';
import { addAlertRoutes } from './alert-routes.ts';
import type { AlertService } from './alert-service.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { addOutboxRoutes } from './outbox-routes.ts';

/** The alerts as the app gets them. */
export interface AppAlerts {
  service: AlertService;
  config: Pick<AlertsConfig, 'conversationEndpoint' | 'channelId' | 'hasOutboxPage'>;
}

/** Everything of the alerts that has an address. `assets` is the folder of the privacy page's and the outbox's files. */
export async function addAlerts(
  app: FastifyInstance,
  { service, config }: AppAlerts,
  setting: { brandName: string; hasSampleMarket: boolean; assets: string },
): Promise<void> {
  await addAlertRoutes(app, service);
  addPrivacyPage(app, setting.assets);
  if (config.hasOutboxPage) await addOutboxRoutes(app, service, setting);
}
