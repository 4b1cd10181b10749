import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import { MAX_POUNDS } from '../../../domain/alert-signup.ts';
import { type Pence, poundsToPence } from '../../../domain/money.ts';
import { acceptAnyBody, formFields } from '../../http/request-bodies.ts';
import { addStylesheet } from '../../page/html-page.ts';
import type { AlertService } from '../alert-service.ts';
import { type LinkAct, unusablePage } from '../manage/link-pages.ts';
import { type LinkPage, limitFieldId, OWN_NEWS, type OwnNews } from '../manage/own-page.ts';

/** In bytes. Enough for a form, or a mail program's `List-Unsubscribe=One-Click` as multipart/form-data. */
const MAX_BODY = 8 * 1024;

const STYLESHEET = '/my-alerts/my-alerts.css';

/** Nothing may keep people from unsubscribing. */
const UNLIMITED: FastifyContextConfig = { limit: 'none' };
const ON_STORE: FastifyContextConfig = { limit: 'store' };

const token = v.pipe(v.string(), v.maxLength(200));
const watchNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

const query = v.object({
  token: v.fallback(token, ''),
  news: v.fallback(v.nullable(v.picklist(Object.keys(OWN_NEWS) as OwnNews[])), null),
  watch: v.fallback(v.nullable(watchNumber), null),
});

const choice = v.object({ choice: v.picklist(['watch', 'channel', 'everything', 'start']) });

const CHOICES: Readonly<Record<v.InferOutput<typeof choice>['choice'], LinkAct>> = {
  watch: { kind: 'stop one', watch: null },
  channel: { kind: 'stop all' },
  everything: { kind: 'stop everything' },
  start: { kind: 'start' },
};

/** Whole pounds, also written as '£1,250'. Null: no limit. Undefined: not a price. */
const below = v.pipe(
  v.string(),
  v.maxLength(20),
  v.transform((text) => readPounds(text.replace(/[£,\s]/g, ''))),
);

const form = v.variant('act', [
  v.object({ act: v.picklist(['limit', 'booked']), token, watch: watchNumber, below }),
  v.object({ act: v.picklist(['stop one', 'pause', 'resume']), token, watch: watchNumber }),
  v.object({ act: v.picklist(['stop all', 'stop everything', 'start', 'delete']), token }),
]);

type Form = v.InferOutput<typeof form>;

const NEWS: Readonly<Record<Exclude<Form['act'], 'delete'>, OwnNews>> = {
  limit: 'limited',
  booked: 'booked',
  pause: 'paused',
  resume: 'resumed',
  'stop one': 'stopped',
  'stop all': 'all-stopped',
  'stop everything': 'all-stopped',
  start: 'started',
};

/** The URL works like a password, so no other site's log and no search engine may get it. */
const LINK_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/**
 * The pages behind signed links. A GET changes nothing, because mail programs and virus scanners open every
 * link. A POST needs no login (RFC 8058).
 */
export async function linkRoutes(app: FastifyInstance, { alerts }: { alerts: AlertService }): Promise<void> {
  /** A page of null means that the link is unusable. */
  function send(reply: FastifyReply, page: LinkPage | null): FastifyReply {
    const styles = [STYLESHEET];
    return reply
      .code(page === null ? 404 : 200)
      .headers(LINK_HEADERS)
      .type('text/html; charset=utf-8')
      .send(app.writePage({ styles, ...(page ?? unusablePage()) }));
  }
  acceptAnyBody(app);
  for (const purpose of ['confirm', 'stop', 'manage'] as const) {
    const path = purpose === 'manage' ? '/my-alerts' : `/my-alerts/${purpose}`;
    app.get(path, { config: purpose === 'stop' ? UNLIMITED : ON_STORE }, async (request, reply) => {
      const shown = v.parse(query, request.query);
      return send(reply, await alerts.viewLink({ ...shown, purpose, address: request.ip }));
    });
  }
  for (const purpose of ['confirm', 'stop'] as const) {
    const config = purpose === 'stop' ? UNLIMITED : ON_STORE;
    app.post(`/my-alerts/${purpose}`, { bodyLimit: MAX_BODY, config }, async (request, reply) => {
      const { token: given } = v.parse(query, request.query);
      const act = chosenAct(purpose, request.body);
      const result = await alerts.actOnLink({ token: given, purpose, act, address: request.ip });
      return send(reply, result?.page ?? null);
    });
  }
  app.post('/my-alerts', { bodyLimit: MAX_BODY, config: ON_STORE }, async (request, reply) => {
    const parsed = v.safeParse(form, formFields(request.body));
    if (!parsed.success)
      return reply.code(400).send({ error: 'Send the form of the page as it is: act, token and watch.' });
    const chosen = parsed.output;
    const act = actOf(chosen);
    if (act === null) return back(reply, chosen, 'bad-limit');
    const address = request.ip;
    const result = await alerts.actOnLink({ token: chosen.token, purpose: 'manage', act, address });
    if (result === null || chosen.act === 'delete') return send(reply, result?.page ?? null);
    return back(reply, chosen, result.isDone ? NEWS[chosen.act] : 'ended');
  });
  app.post('/my-alerts/data', { bodyLimit: MAX_BODY, config: ON_STORE }, async (request, reply) => {
    const parsed = v.safeParse(v.object({ token }), formFields(request.body));
    const given = parsed.success ? parsed.output.token : '';
    const records = await alerts.exportOwn({ token: given, address: request.ip });
    if (records === null) return send(reply, null);
    return reply
      .headers({ ...LINK_HEADERS, 'content-disposition': 'attachment; filename="my-price-alerts.json"' })
      .type('application/json; charset=utf-8')
      .send(records);
  });
  addStylesheet(app, STYLESHEET);
}

/** The chosen action. A mail program's own button sends no choice, so it stops what the link is about. */
function chosenAct(purpose: 'confirm' | 'stop', body: unknown): LinkAct {
  const parsed = v.safeParse(choice, formFields(body));
  const chosen = parsed.success ? parsed.output.choice : null;
  // A link that confirms can only start alerts.
  if (purpose === 'confirm') return { kind: chosen === 'start' ? 'start' : 'confirm' };
  return CHOICES[chosen ?? 'watch'];
}

/** Redirects to the page, so that a reload does not post again. After a new limit, its field has the focus. */
function back(reply: FastifyReply, chosen: Form, news: OwnNews): FastifyReply {
  const parameters = new URLSearchParams({ token: chosen.token, news });
  if ('watch' in chosen) parameters.append('watch', String(chosen.watch));
  const place = chosen.act === 'limit' ? `#${limitFieldId(chosen.watch)}` : '';
  return reply.headers(LINK_HEADERS).redirect(`/my-alerts?${parameters.toString()}${place}`, 303);
}

/** The person's choice; null if the price is not one. */
function actOf(chosen: Form): LinkAct | null {
  if (!('watch' in chosen)) return { kind: chosen.act };
  if (!('below' in chosen)) return { kind: chosen.act, watch: chosen.watch };
  const { act, watch, below: price } = chosen;
  if (price === undefined || (act === 'booked' && price === null)) return null;
  return act === 'booked' ? { kind: act, watch, price: price ?? 0 } : { kind: act, watch, below: price };
}

function readPounds(text: string): Pence | null | undefined {
  if (text === '') return null;
  const pounds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return pounds >= 1 && pounds <= MAX_POUNDS ? poundsToPence(pounds) : undefined;
}
