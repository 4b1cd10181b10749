import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import type { ReadBody } from '../../http/request-bodies.ts';
import type { HtmlPage } from '../../page/html-page.ts';
import type { AlertService } from '../alert-service.ts';
import type { LinkAct, LinkResult, LinkView } from '../inbound/link-acts.ts';
import { confirmPage, type LinkPage, stopPage, unusablePage } from './link-pages.ts';

/** Bytes. A form, or a mail program's `List-Unsubscribe=One-Click`, also as multipart/form-data. */
const MAX_BODY = 8 * 1024;

const linkQuery = v.object({ token: v.pipe(v.string(), v.maxLength(200)) });
const choice = v.object({ choice: v.picklist(['watch', 'channel', 'everything', 'start']) });

/** The address is a key: it goes into no other site's log, and no search engine's index. */
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
 * The pages behind the signed links of emails and notifications. A GET changes nothing, because mail programs and virus
 * scanners open every link; a POST acts, with no login, as RFC 8058 has it.
 */
export async function addLinkRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  { brandName, write, readBody }: LinkRoutesOptions,
): Promise<void> {
  async function answer(
    query: unknown,
    reply: FastifyReply,
    work: (token: string) => Promise<LinkResult>,
    page: (view: LinkView, token: string) => LinkPage,
  ): Promise<FastifyReply> {
    const parsed = v.safeParse(linkQuery, query);
    const token = parsed.success ? parsed.output.token : '';
    const result = await work(token);
    const shown = result.kind === 'view' ? page(result.view, token) : unusablePage();
    return reply
      .code(result.kind === 'view' ? 200 : 404)
      .headers(LINK_HEADERS)
      .type('text/html; charset=utf-8')
      .send(write({ brandName, styles: [], ...shown }));
  }

  await app.register(async (links) => {
    links.removeAllContentTypeParsers();
    links.addContentTypeParser('*', readBody);
    links.get('/my-alerts/confirm', (request, reply) =>
      answer(
        request.query,
        reply,
        (token) => alerts.viewLink({ token, purpose: 'confirm', address: request.ip }),
        (view, token) => confirmPage(view, token, false),
      ),
    );
    links.post('/my-alerts/confirm', { bodyLimit: MAX_BODY }, (request, reply) =>
      answer(
        request.query,
        reply,
        (token) => alerts.actOnLink({ token, purpose: 'confirm', act: 'confirm', address: request.ip }),
        (view, token) => confirmPage(view, token, true),
      ),
    );
    links.get('/my-alerts/stop', (request, reply) =>
      answer(
        request.query,
        reply,
        (token) => alerts.viewLink({ token, purpose: 'stop', address: request.ip }),
        (view, token) => stopPage(view, token, null),
      ),
    );
    links.post('/my-alerts/stop', { bodyLimit: MAX_BODY }, (request, reply) => {
      const act = actOf(request.body);
      return answer(
        request.query,
        reply,
        (token) => alerts.actOnLink({ token, purpose: 'stop', act, address: request.ip }),
        (view, token) => stopPage(view, token, act),
      );
    });
  });
}

/** What a form chose. Without a choice it is a mail program's click, which stops what the link is about. */
function actOf(body: unknown): Exclude<LinkAct, 'confirm'> {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  const parsed = v.safeParse(choice, Object.fromEntries(new URLSearchParams(text)));
  return parsed.success ? parsed.output.choice : 'watch';
}
