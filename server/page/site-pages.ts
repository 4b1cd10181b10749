import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../lib/html.ts';
import type { Operator } from './operator.ts';
import { pricingPage } from './pricing-page.ts';
import { INDEXED_PATHS } from './shell-routes.ts';
import { termsPage } from './terms-page.ts';

export interface SitePagesOptions {
  brandName: string;
  /** `PUBLIC_URL`; null: no sitemap, because its URLs must be absolute. */
  publicUrl: string | null;
  /** Null: no security.txt. */
  operator: Operator;
  /** The brand's logo, also used as icon; null: the built page's icon. */
  logoUrl: string | null;
  now: () => number;
}

/** Half a year: RFC 9116 recommends less than a year. */
const SECURITY_CONTACT_MS = 182 * 24 * 60 * 60 * 1_000;

/** Serves the terms, how prices are made, and files for crawlers and security researchers. */
export function addSitePages(app: FastifyInstance, options: SitePagesOptions): void {
  const { brandName, publicUrl, operator, logoUrl, now } = options;
  const { name: operatorName, email, securityContact } = operator;
  const pages = {
    '/terms': {
      title: 'Terms of use',
      description: `What ${brandName} does, and what it does not promise.`,
      main: termsPage({ brandName, operatorName, email }),
    },
    '/how-we-price': {
      title: 'How we price',
      description: `What the prices on ${brandName} include.`,
      main: pricingPage(brandName),
    },
  };
  for (const [path, page] of Object.entries(pages)) {
    const text = app.writePage({ ...page, styles: [] });
    app.get(path, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(text),
    );
  }
  app.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots(publicUrl)),
  );
  if (publicUrl !== null) {
    const map = sitemap(publicUrl, [
      ...INDEXED_PATHS,
      '/privacy',
      '/terms',
      '/how-we-price',
      '/price-record',
    ]);
    app.get('/sitemap.xml', (_request, reply) => reply.type('application/xml; charset=utf-8').send(map));
  }
  if (securityContact !== null) {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(securityText(securityContact, publicUrl, new Date(now() + SECURITY_CONTACT_MS))),
    );
  }
  if (logoUrl !== null) app.get('/favicon.ico', (_request, reply) => reply.redirect(logoUrl, 302));
}

/** Lets crawlers read results, so that they see `noindex`. A page that they may not read could be listed. */
function robots(publicUrl: string | null): string {
  const lines = ['User-agent: *', 'Disallow: /graphql', 'Disallow: /my-alerts'];
  if (publicUrl !== null) lines.push(`Sitemap: ${publicUrl}/sitemap.xml`);
  return `${lines.join('\n')}\n`;
}

function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${escapeHtml(publicUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

function securityText(contact: string, publicUrl: string | null, expires: Date): string {
  const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, 'Preferred-Languages: en'];
  if (publicUrl !== null) lines.push(`Canonical: ${publicUrl}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}
