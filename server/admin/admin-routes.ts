import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import * as v from 'valibot';
import { SERVER_OPTIONS } from '../http/limits.ts';
import type { ReadBody } from '../http/request-bodies.ts';
import { requestAllowance } from '../http/request-limit.ts';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';
import type { HtmlPage } from '../page/html-page.ts';
import type { ActOnFeed } from './act-on-feed.ts';
import type { AdminFacts } from './admin-facts.ts';
import { ADMIN_NEWS, type AdminNews, adminPage, signInPage } from './admin-page.ts';
import { ADMIN_PASSWORD_NOTE, isPassword } from './admin-password.ts';
import { adminSessions } from './admin-session.ts';
import { vitalSummaries } from './web-vitals.ts';

const MAX_BODY = 2 * 1024;

/** Sign-in attempts per minute. Each takes 0.1 s of processor time. */
const ATTEMPTS_OF_CLIENT = 5;
const ATTEMPTS = 30;

/** How long the response waits for an import. If the import takes longer, the page says that it is running. */
const MAX_ACT_MS = 5_000;

const query = v.object({
  news: v.fallback(v.nullable(v.picklist(Object.keys(ADMIN_NEWS) as AdminNews[])), null),
});

const feedForm = v.object({
  act: v.picklist(['accept', 'discard']),
  provider: v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/)),
  attempt: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
  token: v.string(),
});

export interface AdminSetting {
  /** Reads a note of the store; null if it does not exist. */
  readNote(name: string): Promise<string | null>;
  /** If `isNew`, reads the facts now instead of returning some that were read seconds ago. */
  readFacts(isNew: boolean): Promise<AdminFacts>;
  actOnFeed: ActOnFeed;
  registry: Registry;
  freeBytes(): number | null;
  /** Signs the sessions. */
  tokenKey: Uint8Array;
  brandName: string;
  /** `ADMIN_PATH`. */
  path: string;
  /** `ADMIN_PORT`: the only port with the page. Null: the server's own port has it. */
  listen: { host: string; port: number } | null;
  /** Whether browsers send the cookie over https only. */
  isSecure: boolean;
  write: (page: HtmlPage) => string;
  readBody: ReadBody;
  /** The folder with the page's stylesheet. */
  folder: string;
  now: () => number;
  monotonicNow: () => number;
}

/** The operators' page. Without a password, it does not exist. */
export async function addAdminRoutes(app: FastifyInstance, setting: AdminSetting): Promise<void> {
  const { readNote, isSecure, path, listen } = setting;
  const sessions = adminSessions(setting.tokenKey, { path, isSecure }, setting.now);
  const ofClient = requestAllowance(ATTEMPTS_OF_CLIENT, setting.monotonicNow);
  const ofAll = requestAllowance(ATTEMPTS, setting.monotonicNow);

  function send(reply: FastifyReply, status: number, page: { title: string; main: string }): FastifyReply {
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(setting.write({ brandName: setting.brandName, styles: [`${path}/admin.css`], ...page }));
  }

  /** The form token of a request's session; null if the request has no session. */
  async function formTokenOf({ headers }: FastifyRequest): Promise<string | null> {
    const hash = await readNote(ADMIN_PASSWORD_NOTE);
    const session = hash === null ? null : sessions.read(headers.cookie, hash);
    return hash === null || session === null ? null : sessions.formToken(session, hash);
  }

  if (listen !== null) listenAlone(app, listen);

  await app.register(async (admin) => {
    admin.removeAllContentTypeParsers();
    admin.addContentTypeParser('*', setting.readBody);
    admin.addHook('onRequest', async (request, reply) => {
      if (listen !== null && request.socket.localPort !== listen.port) return reply.callNotFound();
      if (request.method === 'POST' && !isFromOwnPage(request)) {
        return reply.code(403).send({ error: 'Send the form from the page itself.' });
      }
    });

    admin.get(path, async (request, reply) => {
      const hash = await readNote(ADMIN_PASSWORD_NOTE);
      if (hash === null) return reply.callNotFound();
      const session = sessions.read(request.headers.cookie, hash);
      if (session === null) return send(reply, 200, signInPage(path, null));
      const { news } = v.parse(query, request.query);
      const [facts, vitals] = await Promise.all([
        setting.readFacts(news !== null),
        vitalSummaries(setting.registry),
      ]);
      reply.header('set-cookie', sessions.cookie(session, hash));
      const formToken = sessions.formToken(session, hash);
      return send(
        reply,
        200,
        adminPage({ path, facts, vitals, freeBytes: setting.freeBytes(), formToken, news }),
      );
    });

    admin.post(`${path}/feed`, { bodyLimit: MAX_BODY }, async (request, reply) => {
      const formToken = await formTokenOf(request);
      if (formToken === null) return reply.redirect(path, 303);
      const parsed = v.safeParse(feedForm, Object.fromEntries(fieldsOf(request.body)));
      if (!parsed.success || !constantTimeEqual(parsed.output.token, formToken)) {
        return reply.code(403).send({ error: 'Send the form from the page itself.' });
      }
      const { act, provider, attempt } = parsed.output;
      const { feeds } = await setting.readFacts(true);
      const held = feeds.find((one) => one.provider === provider)?.held ?? null;
      // Another operator may have decided on this feed, or a newer one may have replaced it.
      if (held?.attempt !== attempt) return reply.redirect(`${path}?news=changed`, 303);
      const ended = setting.actOnFeed(act, provider).then(
        ({ exit, said }): AdminNews => {
          request.log.info(`An operator used /admin to ${act} the held feed of ${provider}: ${said}`);
          return exit === 0 ? act : 'failed';
        },
        (error: unknown): AdminNews => {
          request.log.error(error);
          return 'failed';
        },
      );
      const slow = sleep(MAX_ACT_MS, 'running' as const, { ref: false });
      return reply.redirect(`${path}?news=${await Promise.race([ended, slow])}`, 303);
    });

    admin.post(`${path}/sign-in`, { bodyLimit: MAX_BODY }, async (request, reply) => {
      const hash = await readNote(ADMIN_PASSWORD_NOTE);
      if (hash === null) return reply.callNotFound();
      const wait = ofClient.take(request.ip) || ofAll.take('all');
      if (wait > 0) {
        reply.header('retry-after', String(wait));
        return send(reply, 429, signInPage(path, 'limited'));
      }
      if (!(await isPassword(fieldOf(request.body, 'password'), hash))) {
        request.log.warn('A sign-in to /admin failed: wrong password');
        return send(reply, 401, signInPage(path, 'wrong'));
      }
      request.log.info('An operator has signed in to /admin');
      return reply
        .header('set-cookie', sessions.cookie(sessions.start(), hash))
        .header('cache-control', 'no-store')
        .redirect(path, 303);
    });

    admin.post(`${path}/sign-out`, { bodyLimit: MAX_BODY }, async (request, reply) => {
      const formToken = await formTokenOf(request);
      if (formToken === null) return reply.redirect(path, 303);
      if (!constantTimeEqual(fieldOf(request.body, 'token'), formToken)) {
        return reply.code(403).send({ error: 'Send the form from the page itself.' });
      }
      return reply.header('set-cookie', sessions.endedCookie).redirect(path, 303);
    });

    admin.get(`${path}/admin.css`, (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return reply.sendFile('admin.css', setting.folder);
    });
  });
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
  return headers.origin !== undefined && URL.parse(headers.origin)?.hostname === hostname;
}

function fieldOf(body: unknown, name: string): string {
  return fieldsOf(body).get(name) ?? '';
}

function fieldsOf(body: unknown): URLSearchParams {
  return new URLSearchParams(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '');
}
