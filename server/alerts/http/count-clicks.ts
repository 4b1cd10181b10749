import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { requestAllowance } from '../../http/request-limit.ts';
import type { AlertService } from '../alert-service.ts';
import { FROM_AN_ALERT } from '../texts/holiday-link.ts';

/** Per client, so that a script cannot inflate the click rate. */
const MAX_CLICKS_PER_MINUTE = 30;

const ADDRESS = '/results?';
const MARK = FROM_AN_ALERT.join('=');

const PREVIEW = /bot|crawl|spider|preview|facebookexternalhit|^whatsapp/i;

/** Counts clicks on links in messages. Redirects to the URL without `alert=1`, so reloads don't count. */
export function addClickCounter(app: FastifyInstance, alerts: Pick<AlertService, 'recordClick'>): void {
  const allowance = requestAllowance(MAX_CLICKS_PER_MINUTE, () => performance.now());

  app.addHook('onRequest', async (request, reply) => {
    const { url, method, headers, ip } = request;
    if (!url.startsWith(ADDRESS) || !url.includes(MARK)) return;
    const parameters = url.slice(ADDRESS.length).split('&');
    const others = parameters.filter((parameter) => parameter !== MARK);
    if (others.length === parameters.length) return;
    if (method === 'GET' && isOpenedByContact(headers) && allowance.take(ip) === 0) {
      alerts
        .recordClick()
        .catch((error: unknown) => app.log.warn(`A click on a link could not be counted: ${String(error)}`));
    }
    return reply.header('cache-control', 'no-store').redirect(`${ADDRESS}${others.join('&')}`, 302);
  });
}

/** Whether a browser opens the page for its user. False for programs and prefetches. */
function isOpenedByContact(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined &&
    headers.purpose !== 'prefetch' &&
    !PREVIEW.test(headers['user-agent'] ?? '')
  );
}
