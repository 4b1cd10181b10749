import type { FastifyInstance } from 'fastify';
import type { PaintedBrand } from '../brand/fill-shell.ts';
import { addPlainStyles, plainPages } from '../plain-page.ts';
import type { NoteRefusal } from '../request-log.ts';
import { addAlertRoutes } from './alert-routes.ts';
import type { AlertService } from './alert-service.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { addOutboxRoutes } from './outbox-routes.ts';
import { privacyPage } from './privacy-page.ts';

/** The alerts as the app gets them. */
export interface AppAlerts {
  service: AlertService;
  config: AlertsConfig;
}

export interface AlertsAppSetting {
  brandName: string;
  providerName: string;
  providerUrl: string;
  sampleInventory: boolean;
  folders: { page: string | null; lists: string };
  /** The brand's look, for the pages that the server writes. */
  painted: PaintedBrand;
  noteRefusal: NoteRefusal;
}

/** Everything of the alerts that has an address. */
export async function addAlerts(
  app: FastifyInstance,
  { service, config }: AppAlerts,
  setting: AlertsAppSetting,
): Promise<void> {
  const { brandName, providerName, providerUrl, folders } = setting;
  const write = plainPages(folders.page, setting.painted);
  await addAlertRoutes(
    app,
    config.isOffered ? service : { ...service, signUp: async () => ({ kind: 'not offered' }) },
    setting.noteRefusal,
  );
  addPlainStyles(app, folders.lists);
  const privacy = write({
    title: 'Price alerts and your number',
    brandName,
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
