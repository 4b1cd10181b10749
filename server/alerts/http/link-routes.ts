import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { hangUpSignal } from '../../http/http-caller.ts';
import type { ReadBody } from '../../http/request-bodies.ts';
import { requestAllowance } from '../../http/request-limit.ts';
import type { NoteRefusal } from '../../http/request-log.ts';
import { isCallerGone } from '../../lib/caller.ts';
import type { HtmlPage } from '../../page/html-page.ts';
import type { AlertService } from '../alert-service.ts';
import type { LinkAct, LinkResult } from '../inbound/link-acts.ts';
import { alertsUnavailable } from './alerts-unavailable.ts';
import { confirmPage, stopPage, unusablePage } from './link-pages.ts';

/** Bytes. A form, or a mail program's `List-Unsubscribe=One-Click`, also as multipart/form-data. */
const MAX_BODY = 8 * 1024;

/** Unusable links that an address may open a minute. Whoever opens more is guessing, and is slowed down. */
const UNUSABLE_A_MINUTE = 60;

const query = v.object({ token: v.pipe(v.string(), v.maxLength(200)) });
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
  noteRefusal: NoteRefusal;
  readBody: ReadBody;
}

/**
 * The pages behind the signed links of emails and notifications. A GET changes nothing, because mail programs and virus
 * scanners open every link; a POST acts, with no login, as RFC 8058 has it.
 */
export async function addLinkRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  { brandName, write, noteRefusal, readBody }: LinkRoutesOptions,
): Promise<void> {
  // Usable links have no limit of their own: a stop must get through.
  const unusable = requestAllowance(UNUSABLE_A_MINUTE, () => performance.now());

  function refuse({ ip }: FastifyRequest, reply: FastifyReply): void {
    const seconds = unusable.take(ip);
    if (seconds === 0) reply.code(404);
    else reply.code(429).header('retry-after', String(seconds));
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (token: string) => Promise<LinkResult>,
    page: (
      result: Extract<LinkResult, { kind: 'view' }>['view'],
      token: string,
    ) => { title: string; main: string },
  ): Promise<FastifyReply> {
    reply.headers(LINK_HEADERS);
    const parsed = v.safeParse(query, request.query);
    try {
      const token = parsed.success ? parsed.output.token : '';
      const result = await work(token);
      if (result.kind !== 'view') refuse(request, reply);
      const shown = result.kind === 'view' ? page(result.view, token) : unusablePage();
      const html = write({ brandName, styles: [], ...shown });
      return await reply.type('text/html; charset=utf-8').send(html);
    } catch (error) {
      // Nobody reads the answer.
      if (isCallerGone(error)) throw error;
      noteRefusal(request, error);
      return alertsUnavailable(reply, error);
    }
  }

  await app.register(async (links) => {
    links.removeAllContentTypeParsers();
    links.addContentTypeParser('*', readBody);
    links.get('/my-alerts/confirm', (request, reply) =>
      answer(
        request,
        reply,
        (token) => alerts.viewLink({ token, purpose: 'confirm', address: request.ip }, hangUpSignal(reply)),
        (view, token) => confirmPage(view, token, false),
      ),
    );
    links.post('/my-alerts/confirm', { bodyLimit: MAX_BODY }, (request, reply) =>
      answer(
        request,
        reply,
        (token) => alerts.actOnLink({ token, purpose: 'confirm', act: 'confirm', address: request.ip }),
        (view, token) => confirmPage(view, token, true),
      ),
    );
    links.get('/my-alerts/stop', (request, reply) =>
      answer(
        request,
        reply,
        (token) => alerts.viewLink({ token, purpose: 'stop', address: request.ip }, hangUpSignal(reply)),
        (view, token) => stopPage(view, token, null),
      ),
    );
    links.post('/my-alerts/stop', { bodyLimit: MAX_BODY }, (request, reply) => {
      const act = actOf(request.body);
      return answer(
        request,
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
