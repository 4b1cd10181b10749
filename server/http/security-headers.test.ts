import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addSecurityHeaders, responseHeaders } from './security-headers.ts';

async function policyWith(priceAnalysisUrl: string | null): Promise<string> {
  const app = Fastify();
  addSecurityHeaders(app, responseHeaders({ priceAnalysisUrl, conversationEndpoint: '', builtPage: null }));
  app.get('/', () => 'a page');
  const { headers } = await app.inject({ url: '/' });
  await app.close();
  return String(headers['content-security-policy']);
}

it("allows another host's widget script, and requests to its host, but nothing else", async () => {
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

it('requires Trusted Types, unless the widget comes from another host', async () => {
  expect(await policyWith('/widget/price-analysis.js')).toContain(
    "require-trusted-types-for 'script';trusted-types skylark",
  );
  expect(await policyWith('https://widgets.example/price.js')).not.toContain('trusted-types');
});

it('isolates the page, but opens the API, lists and widget to other origins', async () => {
  const app = Fastify();
  addSecurityHeaders(
    app,
    responseHeaders({ priceAnalysisUrl: null, conversationEndpoint: '', builtPage: null }),
  );
  app.get('/', () => 'a page');
  app.get('/data/locations.csv', () => 'a list');
  app.get('/*', () => 'a file');
  const crossOrigin = async (url: string) => {
    const { headers } = await app.inject({ url });
    return [
      headers['cross-origin-opener-policy'],
      headers['cross-origin-embedder-policy'],
      headers['cross-origin-resource-policy'],
      headers['access-control-allow-origin'],
    ];
  };
  const isolated = ['same-origin', 'credentialless', 'same-origin', undefined];
  const open = ['same-origin', 'credentialless', 'cross-origin', '*'];
  expect(await crossOrigin('/')).toEqual(isolated);
  expect(await crossOrigin('/assets/index.js')).toEqual(isolated);
  expect(await crossOrigin('/widget/price-analysis.js')).toEqual(open);
  expect(await crossOrigin('/data/locations.csv')).toEqual(open);
  await app.close();
});
