import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { isLocalRequest } from '../../http/local-request.ts';
import type { ReadBody } from '../../http/request-bodies.ts';
import type { HtmlPage } from '../../page/html-page.ts';
import type { LocalOutbox } from './local-outbox.ts';
import { outboxPage } from './outbox-page.ts';

/** The policy of a displayed email: no scripts, no external content, and links open in a new window. */
const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

const NEWS: Readonly<Record<string, string>> = {
  answered: 'We’ve processed your reply.',
  sent: 'We’ve sent the message.',
  unsent: 'We can’t send that message: the alert has stopped, or the price has risen again.',
  dropped: 'The sample market has lowered the price.',
  refused: 'We can’t lower that price: the holiday isn’t on sale, or no one is watching it.',
};

const whole = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
const answer = v.object({
  contact: whole,
  text: v.pipe(v.string(), v.maxLength(200)),
  payload: v.optional(v.pipe(v.string(), v.maxLength(40))),
});
const drop = v.object({ contact: whole, watch: whole });
const send = v.object({ contact: whole, message: whole });

/** Adds the local outbox, for requests from this machine. All others get 404. */
export async function addOutboxRoutes(
  app: FastifyInstance,
  alerts: LocalOutbox,
  options: {
    brandName: string;
    hasSampleMarket: boolean;
    /** The folder with the outbox's stylesheet. */
    folder: string;
    write(page: HtmlPage): string;
    readBody: ReadBody;
  },
): Promise<void> {
  await app.register(async (outbox) => {
    outbox.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (request: FastifyRequest, payload: IncomingMessage) =>
        Object.fromEntries(new URLSearchParams((await options.readBody(request, payload)).toString('utf8'))),
    );
    outbox.addHook('onRequest', async (request, reply) => {
      if (isLocalRequest(request)) return;
      return reply.code(404).send({ error: 'Not found.' });
    });
    outbox.get('/outbox', async (request, reply) => {
      const { news } = request.query as Record<string, unknown>;
      const shown = typeof news === 'string' && Object.hasOwn(NEWS, news) ? (NEWS[news] ?? null) : null;
      const page = options.write({
        title: 'Local outbox',
        brandName: options.brandName,
        styles: ['/outbox/outbox.css'],
        main: outboxPage(await alerts.readOutbox(), { ...options, news: shown }),
      });
      // Allows the frames that show emails.
      const policy = String(reply.getHeader('content-security-policy') ?? '');
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'cache-control': 'no-store', 'content-security-policy': `${policy};frame-src 'self'` })
        .send(page);
    });
    outbox.get('/outbox/email/:id', async (request, reply) => {
      const { id } = request.params as Record<string, unknown>;
      const { phones } = await alerts.readOutbox();
      const shown = phones.flatMap(({ messages }) => messages).find((one) => String(one.id) === id)?.email;
      if (!shown) return reply.code(404).send({ error: 'There is no such email.' });
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'cache-control': 'no-store', 'content-security-policy': EMAIL_POLICY })
        .send(shown.html.replace('<head>', '<head>\n<base target="_blank">'));
    });
    outbox.get('/outbox/outbox.css', (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return reply.sendFile('outbox.css', options.folder);
    });
    outbox.post('/outbox/answer', async (request, reply) => {
      const parsed = v.safeParse(answer, request.body);
      if (!parsed.success)
        return reply
          .code(400)
          .send({ error: 'The request needs a contact and a text of at most 200 characters.' });
      const { contact, text, payload } = parsed.output;
      await alerts.simulateReply(contact, text, payload ?? null);
      return reply.redirect(`/outbox?news=answered#answer-${contact}`, 303);
    });
    outbox.post('/outbox/send', async (request, reply) => {
      const parsed = v.safeParse(send, request.body);
      if (!parsed.success)
        return reply.code(400).send({ error: 'The request needs a contact and a message.' });
      const isSent = await alerts.sendNow(parsed.output.message);
      return reply.redirect(
        `/outbox?news=${isSent ? 'sent' : 'unsent'}#answer-${parsed.output.contact}`,
        303,
      );
    });
    outbox.post('/outbox/drop', async (request, reply) => {
      const parsed = v.safeParse(drop, request.body);
      if (!parsed.success) return reply.code(400).send({ error: 'The request needs a contact and a watch.' });
      const isLowered = options.hasSampleMarket && (await alerts.simulateDrop(parsed.output.watch));
      // Shows a refusal at the top of the page, and a drop at the phone.
      if (!isLowered) return reply.redirect('/outbox?news=refused', 303);
      return reply.redirect(`/outbox?news=dropped#answer-${parsed.output.contact}`, 303);
    });
  });
}
