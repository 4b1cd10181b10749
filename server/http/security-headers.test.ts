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

it('isolates the page, and opens exactly the routes whose options say so to other origins', async () => {
  const app = Fastify();
  addSecurityHeaders(
    app,
    responseHeaders({ priceAnalysisUrl: null, conversationEndpoint: '', builtPage: null }),
  );
  app.get('/', () => 'a page');
  app.get('/list', { config: { isOpen: true } }, () => 'a list');
  app.post('/own', () => 'a form');
  app.post('/any/check', { config: { isOpen: true } }, () => 'a price');
  const crossOrigin = async (url: string, method: 'GET' | 'POST' | 'OPTIONS' = 'GET') => {
    const { headers } = await app.inject({ url, method });
    return [
      headers['cross-origin-opener-policy'],
      headers['cross-origin-embedder-policy'],
      headers['cross-origin-resource-policy'],
      headers['access-control-allow-origin'],
      headers['access-control-allow-methods'],
    ];
  };
  const isolated = ['same-origin', 'credentialless', 'same-origin', undefined, undefined];
  const open = ['same-origin', 'credentialless', 'cross-origin', '*', undefined];
  expect(await crossOrigin('/')).toEqual(isolated);
  expect(await crossOrigin('/unknown')).toEqual(isolated);
  expect(await crossOrigin('/list')).toEqual(open);
  expect(await crossOrigin('/own', 'POST')).toEqual(isolated);
  expect(await crossOrigin('/own', 'OPTIONS')).toEqual(isolated);
  expect(await crossOrigin('/any/check', 'POST')).toEqual(open);
  expect(await crossOrigin('/any/check', 'OPTIONS')).toEqual(open.with(4, 'POST'));
  await app.close();
});
