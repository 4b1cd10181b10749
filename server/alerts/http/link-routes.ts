import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import type { ReadBody } from '../../http/request-bodies.ts';
import type { HtmlPage } from '../../page/html-page.ts';
import type { AlertService } from '../alert-service.ts';
import type { LinkAct } from '../inbound/link-acts.ts';
import type { LinkPage } from '../manage/own-page.ts';
import { confirmPage, stopPage, unusablePage } from './link-pages.ts';

/** In bytes. Enough for a form, or a mail program's `List-Unsubscribe=One-Click` as multipart/form-data. */
const MAX_BODY = 8 * 1024;

const linkQuery = v.object({ token: v.fallback(v.pipe(v.string(), v.maxLength(200)), '') });
const choice = v.object({ choice: v.picklist(['watch', 'channel', 'everything', 'start']) });

const PAGES = { confirm: confirmPage, stop: stopPage };

/** The URL works like a password, so no other site's log and no search engine may get it. */
export const LINK_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

export interface LinkRoutesOptions {
  brandName: string;
  write(page: HtmlPage): string;
  readBody: ReadBody;
}

/**
 * The pages behind signed links in emails and notifications. A GET changes nothing, because mail programs and
 * virus scanners open every link. A POST needs no login (RFC 8058).
 */
export async function addLinkRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  { brandName, write, readBody }: LinkRoutesOptions,
): Promise<void> {
  const send = linkPageSender({ brandName, write }, []);
  await app.register(async (links) => {
    links.removeAllContentTypeParsers();
    links.addContentTypeParser('*', readBody);
    for (const purpose of ['confirm', 'stop'] as const) {
      links.get(`/my-alerts/${purpose}`, async ({ query, ip }, reply) => {
        const { token } = v.parse(linkQuery, query);
        const result = await alerts.viewLink({ token, purpose, address: ip });
        return send(reply, result.kind === 'done' ? PAGES[purpose](result.value, token, null) : null);
      });
      links.post(`/my-alerts/${purpose}`, { bodyLimit: MAX_BODY }, async ({ query, body, ip }, reply) => {
        const { token } = v.parse(linkQuery, query);
        const act = purpose === 'confirm' ? 'confirm' : actOf(body);
        const result = await alerts.actOnLink({ token, purpose, act, address: ip });
        return send(reply, result.kind === 'done' ? PAGES[purpose](result.value, token, act) : null);
      });
    }
  });
}

/** The chosen action. A mail program's own button sends no choice, so it stops what the link is about. */
function actOf(body: unknown): Exclude<LinkAct, 'confirm'> {
  const parsed = v.safeParse(choice, fieldsOf(body));
  return parsed.success ? parsed.output.choice : 'watch';
}

/** Sends a page behind a signed link. A page of null means that the link is unusable. */
export function linkPageSender({ brandName, write }: Omit<LinkRoutesOptions, 'readBody'>, styles: string[]) {
  return (reply: FastifyReply, page: LinkPage | null): FastifyReply =>
    reply
      .code(page === null ? 404 : 200)
      .headers(LINK_HEADERS)
      .type('text/html; charset=utf-8')
      .send(write({ brandName, styles, ...(page ?? unusablePage()) }));
}

export function fieldsOf(body: unknown): Record<string, string> {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  return Object.fromEntries(new URLSearchParams(text));
}
