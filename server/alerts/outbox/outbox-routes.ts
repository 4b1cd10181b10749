import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { isLocalRequest } from '../../http/local-request.ts';
import { addStylesheet } from '../../page/html-page.ts';
import type { LocalOutbox } from './local-outbox.ts';
import { outboxPage } from './outbox-page.ts';

const NEWS: Readonly<Record<string, string>> = {
  answered: 'We’ve processed your reply.',
  sent: 'We’ve sent what was still wanted.',
  dropped: 'The sample market has lowered the price.',
  refused: 'We can’t lower a price: no watched holiday is on sale.',
};

/** `text` or a button's `payload` is what the person writes. */
const form = v.object({
  contact: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
  text: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  payload: v.optional(v.pipe(v.string(), v.maxLength(40))),
});

type Form = v.InferOutput<typeof form>;

/** The local outbox, for requests from this machine. All others get 404. */
export async function outboxRoutes(
  app: FastifyInstance,
  { alerts, ...options }: { alerts: LocalOutbox; brandName: string; hasSampleMarket: boolean },
): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );
  app.addHook('onRequest', async (request, reply) => {
    if (isLocalRequest(request)) return;
    return reply.code(404).send({ error: 'Not found.' });
  });
  app.get('/outbox', async (request, reply) => {
    const { news } = request.query as Record<string, unknown>;
    const shown = typeof news === 'string' && Object.hasOwn(NEWS, news) ? (NEWS[news] ?? null) : null;
    const page = app.writePage({
      title: 'Local outbox',
      styles: ['/outbox/outbox.css'],
      main: outboxPage(await alerts.readOutbox(), { ...options, news: shown }),
    });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
  });
  addStylesheet(app, '/outbox/outbox.css');
  /** `act` returns the key of what the page then says. */
  function post(path: string, act: (given: Form) => Promise<string>): void {
    app.post(`/outbox/${path}`, async (request, reply) => {
      const parsed = v.safeParse(form, request.body);
      if (!parsed.success)
        return reply
          .code(400)
          .send({ error: 'The request needs a contact, and a text of at most 200 characters.' });
      const news = await act(parsed.output);
      return reply.redirect(`/outbox?news=${news}#answer-${parsed.output.contact}`, 303);
    });
  }
  post('answer', async ({ contact, text, payload }) => {
    await alerts.simulateReply(contact, text, payload ?? null);
    return 'answered';
  });
  post('send', async ({ contact }) => {
    await alerts.sendNow(contact);
    return 'sent';
  });
  post('drop', async ({ contact }) => {
    const isLowered = options.hasSampleMarket && (await alerts.simulateDrop(contact));
    return isLowered ? 'dropped' : 'refused';
  });
}
