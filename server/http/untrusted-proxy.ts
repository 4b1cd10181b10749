import type { FastifyInstance } from 'fastify';

const UNTRUSTED_PROXY =
  'A request came through a proxy that TRUST_PROXY does not name: all visitors behind it share one request limit. Set TRUST_PROXY to its address, or remove the headers X-Forwarded-For and Forwarded in front of the server. Reported once.';

/** Warns once if a request has a proxy's header, although no proxy is trusted. */
export function warnOfUntrustedProxy(app: FastifyInstance, trustedProxies: readonly string[]): void {
  if (trustedProxies.length > 0) return;
  let hasWarned = false;
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!hasWarned && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)) {
      hasWarned = true;
      app.log.warn(UNTRUSTED_PROXY);
    }
    done();
  });
}
