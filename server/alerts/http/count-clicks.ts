import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { requestAllowance } from '../../http/request-limit.ts';
import type { AlertService } from '../alert-service.ts';
import { FROM_AN_ALERT } from '../texts/holiday-link.ts';

/** Openings of one network that are counted per minute, so that nobody makes up a rate. */
const CLICKS_PER_MINUTE = 30;

/** How long openings are collected before they are written together, in milliseconds. */
const COLLECT_MS = 1_000;

const ADDRESS = '/results?';
const MARK = FROM_AN_ALERT.join('=');

/** Programs that fetch links to show a preview. */
const PREVIEW = /bot|crawl|spider|preview|facebookexternalhit|^whatsapp/i;

/**
 * Counts openings of links in messages, and answers them with the same address without the mark: a reload or a shared
 * address does not count again. Only how many there were is kept.
 */
export function addClickCounter(app: FastifyInstance, alerts: Pick<AlertService, 'recordClicks'>): void {
  const allowance = requestAllowance(CLICKS_PER_MINUTE, () => performance.now());
  let collected = 0;
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    const count = collected;
    timer = null;
    if (count === 0) return;
    collected = 0;
    await alerts.recordClicks(count).catch((error: unknown) => {
      // They are written with the next ones.
      collected += count;
      app.log.warn(`Openings of links could not be counted: ${String(error)}`);
    });
  }

  app.addHook('onRequest', async (request, reply) => {
    const { url, method, headers, ip } = request;
    if (!url.startsWith(ADDRESS) || !url.includes(MARK)) return;
    const parameters = url.slice(ADDRESS.length).split('&');
    const others = parameters.filter((parameter) => parameter !== MARK);
    if (others.length === parameters.length) return;
    if (method === 'GET' && isOpenedByPerson(headers) && allowance.take(ip) === 0) {
      collected += 1;
      timer ??= setTimeout(() => void write(), COLLECT_MS).unref();
    }
    return reply.header('cache-control', 'no-store').redirect(`${ADDRESS}${others.join('&')}`, 302);
  });
  app.addHook('onClose', async () => {
    if (timer !== null) clearTimeout(timer);
    await write();
  });
}

/** Whether a browser opens a page, and not a program or a browser that loads it in advance. */
function isOpenedByPerson(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined &&
    headers.purpose !== 'prefetch' &&
    !PREVIEW.test(headers['user-agent'] ?? '')
  );
}
