import type { FastifyInstance } from 'fastify';
import type { Operator } from './operator.ts';
import { pricingPage } from './pricing-page.ts';
import { termsPage } from './terms-page.ts';

export interface SitePagesOptions {
  brandName: string;
  /** `PUBLIC_URL`; null: security.txt names no URL. */
  publicUrl: string | null;
  /** Null: no security.txt. */
  operator: Operator;
  /** The brand's logo, also used as icon; null: the built page's icon. */
  logoUrl: string | null;
  now: () => number;
}

/** Half a year: RFC 9116 recommends less than a year. */
const SECURITY_CONTACT_MS = 182 * 24 * 60 * 60 * 1_000;

/** Serves the terms, how prices are made, and a file for security researchers. */
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
  if (securityContact !== null) {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(securityText(securityContact, publicUrl, new Date(now() + SECURITY_CONTACT_MS))),
    );
  }
  if (logoUrl !== null) app.get('/favicon.ico', (_request, reply) => reply.redirect(logoUrl, 302));
}

function securityText(contact: string, publicUrl: string | null, expires: Date): string {
  const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, 'Preferred-Languages: en'];
  if (publicUrl !== null) lines.push(`Canonical: ${publicUrl}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}
