import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import * as v from 'valibot';
import type { Finding } from '../conditions/condition.ts';
import { EXIT } from '../feed/exit-codes.ts';
import { FeedFault } from '../feed/formats/raw-row.ts';
import { SERVER_OPTIONS } from '../http/limits.ts';
import { acceptAnyBody, formFields } from '../http/request-bodies.ts';
import { requestAllowance } from '../http/request-limit.ts';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';
import { addStylesheet } from '../page/html-page.ts';
import { vitalSummaries } from '../vitals/vital-summaries.ts';
import type { AdminCommands } from './admin-commands.ts';
import type { AdminFacts } from './admin-facts.ts';
import { ADMIN_NEWS, type AdminNews, adminPage, signInPage } from './admin-page.ts';
import { ADMIN_PASSWORD_NOTE, isPassword } from './admin-password.ts';
import { adminSessions } from './admin-session.ts';
import { newProviders, readNewProviderForm } from './new-provider.ts';
import { newProviderPage } from './new-provider-page.ts';

const MAX_BODY = 2 * 1024;

/**
 * Sign-in attempts per minute: of a client or a known device, and of all clients. Each takes 0.1 s of processor
 * time. Devices that have signed in before are not counted with the clients.
 */
const ATTEMPTS_OF_CLIENT = 5;
const ATTEMPTS = 30;

/** How long the response waits for an import. If the import takes longer, the page says that it is running. */
const MAX_ACT_MS = 5_000;

const query = v.object({
  news: v.fallback(v.nullable(v.picklist(Object.keys(ADMIN_NEWS) as AdminNews[])), null),
});

const provider = v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/));

const actForm = v.intersect([
  v.object({ token: v.string() }),
  v.variant('act', [
    v.object({
      act: v.picklist(['accept', 'discard']),
      provider,
      attempt: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
    }),
    v.object({ act: v.picklist(['run', 'rollback']), provider }),
    v.object({ act: v.literal('notice') }),
    v.object({ act: v.literal('silence'), problem: v.string(), until: v.pipe(v.string(), v.isoDate()) }),
  ]),
]);

/** Bytes of a form with a sample. */
const MAX_SAMPLE_BODY = 20 * 1024 ** 2;

export interface AdminOptions {
  /** Reads a note of the store; null if it does not exist. */
  readNote(name: string): Promise<string | null>;
  /** If `isNew`, reads the facts now instead of returning some that were read seconds ago. */
  readFacts(isNew: boolean): Promise<AdminFacts>;
  commands: AdminCommands;
  /** The folders of the lists that visitors choose from. */
  lists: { locations: string; airports: string };
  registry: Registry;
  freeBytes(): number | null;
  /** What is wrong with this server and its machine. */
  problemsOfServer(): Promise<readonly Finding[]>;
  /** Signs the sessions. */
  tokenKey: Uint8Array;
  /** `ADMIN_PATH`. */
  path: string;
  /** `ADMIN_PORT`: the only port with the page. Null: the server's own port has it. */
  listen: { host: string; port: number } | null;
  /** Whether browsers send the cookies over https only; on a port of its own, only if it is reached by https. */
  isSecure: boolean;
  now: () => number;
  monotonicNow: () => number;
}

/** The operators' page. Without a password, it does not exist. */
export async function adminPlugin(app: FastifyInstance, setting: AdminOptions): Promise<void> {
  const { readNote, path, listen } = setting;
  const sessions = adminSessions(setting.tokenKey, path, setting.now);
  // Safari keeps no Secure cookie of http://localhost, where operators reach a port of its own.
  const isSecure = ({ protocol }: FastifyRequest) =>
    setting.isSecure && (listen === null || protocol === 'https');
  const ofClient = requestAllowance(ATTEMPTS_OF_CLIENT, setting.monotonicNow);
  const ofDevice = requestAllowance(ATTEMPTS_OF_CLIENT, setting.monotonicNow);
  const ofAll = requestAllowance(ATTEMPTS, setting.monotonicNow);

  function send(reply: FastifyReply, status: number, page: { title: string; main: string }): FastifyReply {
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' })
      .type('text/html; charset=utf-8')
      .send(app.writePage({ styles: [`${path}/admin.css`], ...page }));
  }

  /** The form token of a request's session; null if the request has no session. */
  async function formTokenOf({ headers }: FastifyRequest): Promise<string | null> {
    const hash = await readNote(ADMIN_PASSWORD_NOTE);
    const session = hash === null ? null : sessions.read(headers.cookie, hash);
    return hash === null || session === null ? null : sessions.formToken(session, hash);
  }

  if (listen !== null) listenAlone(app, listen);

  acceptAnyBody(app);
  app.addHook('onRequest', async (request, reply) => {
    if (listen !== null && request.socket.localPort !== listen.port) return reply.callNotFound();
    if (request.method === 'POST' && !isFromOwnPage(request)) {
      return reply.code(403).send({ error: 'Send the form from the page itself.' });
    }
  });

  app.get(path, async (request, reply) => {
    const hash = await readNote(ADMIN_PASSWORD_NOTE);
    if (hash === null) return reply.callNotFound();
    const session = sessions.read(request.headers.cookie, hash);
    if (session === null) return send(reply, 200, signInPage(path, null));
    const { news } = v.parse(query, request.query);
    const [facts, problems, vitals] = await Promise.all([
      setting.readFacts(news !== null),
      setting.problemsOfServer(),
      vitalSummaries(setting.registry),
    ]);
    reply.header('set-cookie', sessions.cookie(session, hash, isSecure(request)));
    const formToken = sessions.formToken(session, hash);
    return send(
      reply,
      200,
      adminPage({ path, facts, problems, vitals, freeBytes: setting.freeBytes(), formToken, news }),
    );
  });

  const providers = newProviders({ ...setting, checkFeed: setting.commands.checkFeed });
  app.addHook('onClose', async () => providers.close());

  app.get(`${path}/new-provider`, async (request, reply) => {
    const formToken = await formTokenOf(request);
    if (formToken === null) return reply.redirect(path, 303);
    const entered = { code: '', name: '', source: '' };
    return send(reply, 200, newProviderPage({ path, formToken, ...entered, problem: null, trial: null }));
  });

  const forOperators = async (request: FastifyRequest, reply: FastifyReply) => {
    if ((await formTokenOf(request)) === null) return reply.redirect(path, 303);
  };
  // A stranger's sample is not read.
  app.post(
    `${path}/new-provider`,
    { bodyLimit: MAX_SAMPLE_BODY, onRequest: forOperators },
    async (request, reply) => {
      const formToken = (await formTokenOf(request)) ?? '';
      const entered = await readNewProviderForm(request.body, request.headers['content-type']);
      if (!constantTimeEqual(entered.token, formToken)) {
        return reply.code(403).send({ error: 'Send the form from the page itself.' });
      }
      const view = { path, formToken, ...entered, problem: null, trial: null };
      try {
        return send(reply, 200, newProviderPage({ ...view, trial: await providers.try(entered) }));
      } catch (error) {
        if (!(error instanceof FeedFault)) throw error;
        return send(reply, 422, newProviderPage({ ...view, problem: error.message }));
      }
    },
  );

  app.post(`${path}/act`, { bodyLimit: MAX_BODY }, async (request, reply) => {
    const formToken = await formTokenOf(request);
    if (formToken === null) return reply.redirect(path, 303);
    const parsed = v.safeParse(actForm, formFields(request.body));
    if (!parsed.success || !constantTimeEqual(parsed.output.token, formToken)) {
      return reply.code(403).send({ error: 'Send the form from the page itself.' });
    }
    const wanted = parsed.output;
    const { act } = wanted;
    if (act === 'accept' || act === 'discard') {
      const { feeds } = await setting.readFacts(true);
      const pending = feeds.find((one) => one.provider === wanted.provider)?.pendingReview ?? null;
      // Another operator may have decided on this feed, or a newer one may have replaced it.
      if (pending?.attempt !== wanted.attempt) return reply.redirect(`${path}?news=changed`, 303);
    }
    const { actOnFeed, testNotice, silence } = setting.commands;
    const running =
      act === 'notice'
        ? testNotice()
        : act === 'silence'
          ? silence(wanted.problem, wanted.until)
          : actOnFeed(act, wanted.provider);
    const ended = running.then(
      ({ exit, said }): AdminNews => {
        const about = 'provider' in wanted ? ` for ${wanted.provider}` : '';
        request.log.info(`An operator used /admin: ${act}${about}: ${said}`);
        return exit === 0 ? act : exit === EXIT.held && act === 'run' ? 'held' : 'failed';
      },
      (error: unknown): AdminNews => {
        request.log.error(error);
        return 'failed';
      },
    );
    const slow = sleep(MAX_ACT_MS, 'running' as const, { ref: false });
    return reply.redirect(`${path}?news=${await Promise.race([ended, slow])}`, 303);
  });

  app.post(`${path}/sign-in`, { bodyLimit: MAX_BODY }, async (request, reply) => {
    const hash = await readNote(ADMIN_PASSWORD_NOTE);
    if (hash === null) return reply.callNotFound();
    const device = sessions.deviceOf(request.headers.cookie);
    const wait = device === null ? ofClient.take(request.ip) || ofAll.take('all') : ofDevice.take(device);
    if (wait > 0) {
      reply.header('retry-after', String(wait));
      return send(reply, 429, signInPage(path, 'limited'));
    }
    if (!(await isPassword(formFields(request.body).password ?? '', hash))) {
      request.log.warn('A sign-in to /admin failed: wrong password');
      return send(reply, 401, signInPage(path, 'wrong'));
    }
    request.log.info('An operator has signed in to /admin');
    return reply
      .header('set-cookie', [
        sessions.cookie(sessions.start(), hash, isSecure(request)),
        sessions.deviceCookie(device, isSecure(request)),
      ])
      .header('cache-control', 'no-store')
      .redirect(path, 303);
  });

  app.post(`${path}/sign-out`, { bodyLimit: MAX_BODY }, async (request, reply) => {
    const formToken = await formTokenOf(request);
    if (formToken === null) return reply.redirect(path, 303);
    if (!constantTimeEqual(formFields(request.body).token ?? '', formToken)) {
      return reply.code(403).send({ error: 'Send the form from the page itself.' });
    }
    return reply.header('set-cookie', sessions.endedCookie(isSecure(request))).redirect(path, 303);
  });

  addStylesheet(app, `${path}/admin.css`);
}

/** Also serves the app on another port, which need not be public. */
function listenAlone(app: FastifyInstance, { host, port }: { host: string; port: number }): void {
  const server = createServer(SERVER_OPTIONS.http, (request, response) => app.routing(request, response));
  app.addHook('onListen', async () => {
    await once(server.listen(port, host), 'listening');
  });
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}

/** Whether a form comes from this site's own page. Browsers state its origin in one of two headers. */
function isFromOwnPage({ headers, hostname }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Safari sends only Origin over http, and sends `null` as the origin of a page with `no-referrer`.
  return headers.origin !== undefined && URL.parse(headers.origin)?.hostname === hostname;
}
