import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addSitePages } from './site-pages.ts';

const OPERATOR = {
  name: 'Seaward Travel Ltd',
  postalAddress: '1 Quay Street, Bristol BS1 4DJ',
  email: 'hello@seaward.example',
  securityContact: 'mailto:security@seaward.example',
  lawfulBasis: 'your consent',
};
const NO_OPERATOR = {
  name: null,
  postalAddress: null,
  email: null,
  securityContact: null,
  lawfulBasis: 'your consent',
};

function site(options: Partial<Parameters<typeof addSitePages>[1]> = {}) {
  const app = Fastify();
  app.decorate('writePage', ({ title, main }) => `<title>${title}</title>${main}`);
  addSitePages(app, {
    brandName: 'Seaward',
    publicUrl: 'https://seaward.example',
    operator: OPERATOR,
    logoUrl: null,
    now: () => Date.UTC(2027, 0, 1),
    ...options,
  });
  return app;
}

it('names the security contact, with a date in the future on which it expires', async () => {
  const { body } = await site().inject('/.well-known/security.txt');
  expect(body).toContain('Contact: mailto:security@seaward.example\n');
  expect(body).toContain('Expires: 2027-07-02T00:00:00.000Z\n');
  expect(body).toContain('Canonical: https://seaward.example/.well-known/security.txt\n');
});

it('writes no URL and no contact that the operator has not set', async () => {
  const app = site({ publicUrl: null, operator: NO_OPERATOR });
  expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(404);
  expect((await app.inject('/terms')).body).not.toContain('mailto:');
});

it('names the operator and the contact in the terms, as text', async () => {
  const operator = { ...OPERATOR, name: '<b>Seaward</b> Ltd' };
  const { body } = await site({ operator }).inject('/terms');
  expect(body).toContain('&lt;b&gt;Seaward&lt;/b&gt; Ltd, who run Seaward');
  expect(body).toContain('href="mailto:hello@seaward.example"');
});

it('leads from favicon.ico to the brand’s own logo', async () => {
  const answer = await site({ logoUrl: '/brand/logo-1a2b3c4d.svg' }).inject('/favicon.ico');
  expect(answer.statusCode).toBe(302);
  expect(answer.headers.location).toBe('/brand/logo-1a2b3c4d.svg');
});
