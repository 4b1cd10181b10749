import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance } from 'fastify';
import { addAlerts } from '../../server/alerts/add-alerts.ts';
import { addPlainStyles, plainPages } from '../../server/plain-page.ts';
import { addRequestLog } from '../../server/request-log.ts';
import { addSecurityHeaders } from '../../server/security-headers.ts';
import { openSmallAlerts, type SmallAlerts } from './small-alerts.ts';

const ASSETS = join(import.meta.dirname, '../../assets');

/** The addresses of the alerts alone, over the small inventory. */
export async function openAlertsApp(
  options: Parameters<typeof openSmallAlerts>[0] = {},
): Promise<SmallAlerts & { app: FastifyInstance; logged: string[] }> {
  const alerts = await openSmallAlerts(options);
  const logged: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void logged.push(line) } } });
  app.removeContentTypeParser('text/plain');
  const noteRefusal = addRequestLog(app, Date.now);
  addSecurityHeaders(app, { priceAnalysisUrl: null, conversationEndpoint: '', builtPage: null });
  await app.register(fastifyStatic, { root: ASSETS, serve: false });
  addPlainStyles(app, ASSETS);
  await addAlerts(
    app,
    { service: alerts.service, config: alerts.config },
    {
      brandName: 'Skylark',
      providerName: 'Skylark',
      providerUrl: 'https://www.skylark.example/',
      sampleInventory: true,
      folders: { page: null, lists: ASSETS },
      write: plainPages(null, { name: 'Skylark', logoUrl: null, styleUrl: null, sky: null }),
      noteRefusal,
    },
  );
  return {
    ...alerts,
    app,
    logged,
    async close() {
      await app.close();
      await alerts.close();
    },
  };
}
