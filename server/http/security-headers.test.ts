import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addSecurityHeaders, securityHeaders } from './security-headers.ts';

async function policyWith(priceAnalysisUrl: string | null): Promise<string> {
  const app = Fastify();
  addSecurityHeaders(app, securityHeaders({ priceAnalysisUrl, conversationEndpoint: '', builtPage: null }));
  app.get('/', () => 'a page');
  const { headers } = await app.inject({ url: '/' });
  await app.close();
  return String(headers['content-security-policy']);
}

it("lets another host's widget run and call its own host, and nothing else", async () => {
  const policy = await policyWith('https://widgets.example/price.js');
  expect(policy).toContain("script-src 'self' https://widgets.example;");
  expect(policy).toContain("connect-src 'self' https://widgets.example;");
  expect(policy.match(/widgets\.example/g)).toHaveLength(2);
});

it.each([[null], ['/widget/price-analysis.js']])(
  'allows no other host for the widget %s',
  async (address) => {
    expect(await policyWith(address)).toContain("script-src 'self';");
    expect(await policyWith(address)).toContain("connect-src 'self';");
  },
);
