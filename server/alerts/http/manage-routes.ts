import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import { MAX_POUNDS } from '../../../domain/alert-signup.ts';
import { type Pence, poundsToPence } from '../../../domain/money.ts';
import type { AlertService } from '../alert-service.ts';
import type { OwnAct } from '../manage/own-acts.ts';
import { deletedPage, limitFieldId, OWN_NEWS, type OwnNews } from '../manage/own-page.ts';
import { fieldsOf, LINK_HEADERS, type LinkRoutesOptions, linkPageSender } from './link-routes.ts';

const MAX_BODY = 4 * 1024;

const token = v.pipe(v.string(), v.maxLength(200));
const watchNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

const query = v.object({
  token: v.fallback(token, ''),
  news: v.fallback(v.nullable(v.picklist(Object.keys(OWN_NEWS) as OwnNews[])), null),
  watch: v.fallback(v.nullable(watchNumber), null),
});

/** Whole pounds, also written as '£1,250'. Null: no limit. Undefined: not a price. */
const below = v.pipe(
  v.string(),
  v.maxLength(20),
  v.transform((text) => readPounds(text.replace(/[£,\s]/g, ''))),
);

const form = v.variant('act', [
  v.object({ act: v.literal('limit'), token, watch: watchNumber, below }),
  v.object({ act: v.literal('stop one'), token, watch: watchNumber }),
  v.object({ act: v.picklist(['stop all', 'stop everything', 'start', 'delete']), token }),
]);

type Form = v.InferOutput<typeof form>;

const NEWS: Readonly<Record<Exclude<Form['act'], 'delete'>, OwnNews>> = {
  limit: 'limited',
  'stop one': 'stopped',
  'stop all': 'all-stopped',
  'stop everything': 'all-stopped',
  start: 'started',
};

interface ManageRoutesOptions extends LinkRoutesOptions {
  folder: string;
}

/** The page of a person's own alerts. A GET changes nothing, because scanners open every link. */
export async function addManageRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  { brandName, write, readBody, folder }: ManageRoutesOptions,
): Promise<void> {
  const send = linkPageSender({ brandName, write }, ['/my-alerts/my-alerts.css']);
  await app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', readBody);

    own.get('/my-alerts', async (request, reply) => {
      const { token, news, watch } = v.parse(query, request.query);
      const result = await alerts.viewOwn({ token, news, watch, address: request.ip });
      return send(reply, result.kind === 'done' ? result.value : null);
    });
    own.post('/my-alerts', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const parsed = v.safeParse(form, fieldsOf(request.body));
      if (!parsed.success)
        return reply.code(400).send({ error: 'Send the form of the page as it is: act, token and watch.' });
      const chosen = parsed.output;
      const act = actOf(chosen);
      if (act === null) return back(reply, chosen, 'bad-limit');
      const result = await alerts.actOnOwn({ token: chosen.token, act, address: request.ip });
      if (result.kind === 'unusable') return send(reply, null);
      const { isDone, channel } = result.value;
      if (chosen.act === 'delete') return send(reply, deletedPage(channel));
      return back(reply, chosen, isDone ? NEWS[chosen.act] : 'ended');
    });
    own.post('/my-alerts/data', { bodyLimit: MAX_BODY }, async (request, reply) => {
      const parsed = v.safeParse(v.object({ token }), fieldsOf(request.body));
      const given = parsed.success ? parsed.output.token : '';
      const result = await alerts.exportOwn({ token: given, address: request.ip });
      if (result.kind === 'unusable') return send(reply, null);
      return reply
        .headers({ ...LINK_HEADERS, 'content-disposition': 'attachment; filename="my-price-alerts.json"' })
        .type('application/json; charset=utf-8')
        .send(result.value);
    });
    own.get('/my-alerts/my-alerts.css', (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return reply.sendFile('my-alerts.css', folder);
    });
  });
}

/** Redirects to the page, so that a reload does not post again. After a new limit, its field has the focus. */
function back(reply: FastifyReply, chosen: Form, news: OwnNews): FastifyReply {
  const parameters = new URLSearchParams({ token: chosen.token, news });
  if (chosen.act === 'limit') parameters.append('watch', String(chosen.watch));
  const place = chosen.act === 'limit' ? `#${limitFieldId(chosen.watch)}` : '';
  return reply.headers(LINK_HEADERS).redirect(`/my-alerts?${parameters.toString()}${place}`, 303);
}

/** The person's choice; null if the price limit is not a price. */
function actOf(chosen: Form): OwnAct | null {
  if (chosen.act === 'limit') {
    const { watch, below } = chosen;
    return below === undefined ? null : { kind: 'limit', watch, below };
  }
  return chosen.act === 'stop one' ? { kind: 'stop one', watch: chosen.watch } : { kind: chosen.act };
}

function readPounds(text: string): Pence | null | undefined {
  if (text === '') return null;
  const pounds = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return pounds >= 1 && pounds <= MAX_POUNDS ? poundsToPence(pounds) : undefined;
}
