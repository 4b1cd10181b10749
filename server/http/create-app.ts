import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { logStream } from '../lib/log.ts';
import { addCompression } from './compression.ts';
import { addErrorHandler } from './error-handler.ts';
import { addLimits, SERVER_OPTIONS } from './limits.ts';
import { malformedRequests } from './malformed-requests.ts';
import { addRequestBodies } from './request-bodies.ts';
import { addRequestIds, requestId } from './request-id.ts';
import { addRequestLog, type SentResponse } from './request-log.ts';
import { addSecurityHeaders, type PolicySetting, responseHeaders } from './security-headers.ts';
import { warnOfUntrustedProxy } from './untrusted-proxy.ts';

export interface HttpOptions {
  policy: PolicySetting;
  trustedProxies: readonly string[];
  /** `REQUEST_LIMIT`; 0 means no limit. */
  requestLimit: number;
  /** The lowest level to log, as JSON lines. Null: no log. */
  logLevel: 'info' | 'warn' | 'error' | null;
  /** Omitted: standard output. */
  logTo?: (line: string) => void;
  observe: (response: SentResponse) => void;
  /** In monotonic milliseconds. */
  monotonicNow: () => number;
}

/** An app without routes, with what applies to all routes: ids, log, errors, headers, limits, bodies. */
export async function createApp(options: HttpOptions): Promise<FastifyInstance> {
  const { trustedProxies, logLevel, logTo, observe } = options;
  const headers = responseHeaders(options.policy);
  const app: FastifyInstance = Fastify({
    ...SERVER_OPTIONS,
    logger: logLevel !== null && {
      base: null,
      level: logLevel,
      stream: logTo ? { write: logTo } : logStream,
    },
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    logController: new LogController({ disableRequestLogging: true }),
    // The store closes later, so requests on open connections still get responses while the app closes.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    ...malformedRequests(headers.ofPage, observe, () => app.log),
  });
  addRequestIds(app);
  addRequestLog(app, options.monotonicNow, observe);
  addErrorHandler(app);
  addSecurityHeaders(app, headers);
  warnOfUntrustedProxy(app, trustedProxies);
  await addLimits(app, options.requestLimit);
  await addCompression(app);
  addRequestBodies(app);
  return app;
}
