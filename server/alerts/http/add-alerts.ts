import type { FastifyInstance } from 'fastify';
import type { NoteRefusal } from '../../http/request-log.ts';
import type { plainPages } from '../../page/html-page.ts';
import type { AlertService } from '../alert-service.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import { addAlertRoutes } from './alert-routes.ts';
import { addOutboxRoutes } from './outbox-routes.ts';
import { privacyPage } from './privacy-page.ts';

/** The alerts as the app gets them. */
export interface AppAlerts {
  service: AlertService;
  config: AlertsConfig;
}

export interface AlertsAppOptions {
  brandName: string;
  providerName: string;
  providerUrl: string;
  sampleInventory: boolean;
  folders: { page: string | null; lists: string };
  /** Writes a page in the look of the site. */
  write: ReturnType<typeof plainPages>;
  noteRefusal: NoteRefusal;
}

/** Everything of the alerts that has an address. */
export async function addAlerts(
  app: FastifyInstance,
  { service, config }: AppAlerts,
  setting: AlertsAppOptions,
): Promise<void> {
  const { brandName, providerName, providerUrl, folders, write } = setting;
  await addAlertRoutes(
    app,
    config.isOffered ? service : { ...service, signUp: async () => ({ kind: 'not offered' }) },
    setting.noteRefusal,
  );
  const privacy = write({
    title: 'Price alerts and your number',
    brandName,
    description: 'What happens to a phone number that is given for price alerts, and how to stop them.',
    styles: [],
    main: privacyPage({ brandName, providerName, providerUrl, alerts: config }),
  });
  app.get('/privacy', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(privacy),
  );
  if (config.hasOutboxPage) {
    await addOutboxRoutes(app, service, {
      brandName,
      hasSampleMarket: setting.sampleInventory,
      folder: folders.lists,
      write,
    });
  }
}
