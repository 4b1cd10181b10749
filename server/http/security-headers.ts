import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { type InlineStyle, inlineStyles } from './inline-styles.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of other origins may call the route. Their requests carry no cookies. */
    isOpen?: boolean;
  }
}

export interface PolicySetting {
  priceAnalysisUrl: string | null;
  conversationEndpoint: string;
  /** The URL of the operator's tiles for maps; omitted or null: none. */
  mapTiles?: string | null;
  builtPage: string | null;
}

/** Lets pages of other origins read a response. */
export const OPEN_TO_ANY_PAGE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The security headers of the page's own routes, and of those that other origins may call. */
export interface ResponseHeaders {
  ofPage: Readonly<Record<string, string>>;
  open: Readonly<Record<string, string>>;
}

/**
 * A strict Content-Security-Policy and related headers. Scripts and requests may use no other hosts than the
 * widget's, the conversation service's and the map tiles'. The page's own stylesheet may be inline.
 */
export function responseHeaders(setting: PolicySetting): ResponseHeaders {
  const { priceAnalysisUrl, conversationEndpoint, mapTiles, builtPage } = setting;
  const ofPage = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: pagePolicy(
        priceAnalysisUrl,
        [conversationEndpoint, mapTiles ?? ''],
        inlineStyles(builtPage),
      ),
    },
    // Only for this host, because the domain's other hosts decide for themselves.
    strictTransportSecurity: { includeSubDomains: false },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Not `require-corp`, because providers' logos come from hosts that do not send the header.
    crossOriginEmbedderPolicy: { policy: 'credentialless' },
  });
  return { ofPage, open: { ...ofPage, ...OPEN_TO_ANY_PAGE } };
}

/** Sets each route's headers, and answers the preflight requests of open routes. Call it before adding routes. */
export function addSecurityHeaders(app: FastifyInstance, { ofPage, open }: ResponseHeaders): void {
  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    reply.headers(routeOptions.config.isOpen === true ? open : ofPage);
    done();
  });
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isOpen !== true || ![method].flat().includes('POST')) return;
    app.options(url, { config }, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type, x-api-key',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send(),
    );
  });
}

/** Helmet's headers, made once because they are the same for every response. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error) => {
    if (error !== undefined) throw error;
  });
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

/** Only this Trusted Types policy may turn text into code (web/ui/trusted-script.ts). */
const TRUSTED_TYPES = { 'require-trusted-types-for': ["'script'"], 'trusted-types': ['skylark'] };

/** The page's policy: the origins of its widget and services, and the hashes of its inline styles. */
export function pagePolicy(
  priceAnalysisUrl: string | null,
  services: readonly string[],
  styles: readonly InlineStyle[],
): Record<string, string[]> {
  const widget = originsOf(priceAnalysisUrl ?? '');
  const called = new Set([...widget, ...services.flatMap(originsOf)]);
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...widget],
    'style-src': ["'self'", ...styles.map(({ hash }) => `'${hash}'`)],
    // Providers host their own logos; photos come from the search service, which may be on another host.
    'img-src': ["'self'", 'https:', 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...called],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    // Omitted if the widget is on another host, because it may then insert any markup.
    ...(widget.length === 0 ? TRUSTED_TYPES : {}),
  };
}

/** The origin of a URL on another host; an empty list for a path. */
function originsOf(url: string): string[] {
  const origin = URL.parse(url)?.origin;
  return origin === undefined ? [] : [origin];
}
