import { createHash } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { FILTERS } from './suites/search-http.ts';

const SMALL_QUERY =
  'query ($filters: PackageSearchFilters!) { searchPackages(filters: $filters) { count items { ItemKey } } }';

const SHEET = 'body{margin:0}@media (width<=36rem){a>b{color:red}}';

const PAGE = {
  'index.html': `<!doctype html><title>Skylark</title><style data-sheet="/assets/index.css">${SHEET}</style>`,
  'results.html': '<!doctype html><title>Holidays found</title>',
  'explore.html': '<!doctype html><title>Explore</title>',
  'index-B1c2D3e4.js': 'console.log(1)',
  'index-B1c2D3e4.js.br': 'as brotli',
  'index.html.gz': 'as gzip',
  'hotel-placeholder.svg': '<svg/>',
  'widget/price-analysis.js': 'console.log(2)',
  'service-worker.js': 'const KEPT = null;',
};

describe('The HTTP gate', () => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ page: PAGE });
  });
  afterAll(() => small.close());

  const post = (payload: unknown, headers: Record<string, string> = {}) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const errorsOf = async (query: string) => {
    const response = await post({ query, variables: { filters: FILTERS } });
    expect(response.statusCode).toBe(200);
    return response.json<{ errors: { message: string }[] }>().errors;
  };

  it('runs any valid query', async () => {
    const response = await post({ query: SMALL_QUERY, variables: { filters: FILTERS } });
    expect(response.json()).toMatchObject({ data: { searchPackages: { count: expect.any(Number) } } });
  });

  it.each([
    ['without a key', { 'x-api-key': '' }, 401],
    ['with a wrong key', { 'x-api-key': 'guess' }, 401],
    ['with text', { 'content-type': 'text/plain' }, 415],
    ['with a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('rejects a request %s', async (_name, headers, status) => {
    const response = await post({ query: SMALL_QUERY }, headers);
    expect(response.statusCode).toBe(status);
    const code = status === 401 ? 'UNAUTHORIZED' : 'UNSUPPORTED_MEDIA_TYPE';
    expect(response.json()).toEqual({ error: expect.any(String), code });
  });

  it.each([
    ['broken JSON', '{"query":', 400],
    ['JSON that is no object', '[1]', 400],
    ['no query', '{"variables":{}}', 400],
    ['variables that are no object', JSON.stringify({ query: SMALL_QUERY, variables: [1] }), 400],
    ['a prototype', '{"query":"{ a }","__proto__":{"x":1}}', 400],
    ['too much', JSON.stringify({ query: 'x'.repeat(70_000) }), 413],
  ])('refuses %s', async (_name, payload, status) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(status);
    const code = status === 413 ? 'BODY_TOO_LARGE' : 'BAD_REQUEST';
    expect(response.json()).toEqual({ error: expect.any(String), code });
  });

  it.each(['PUT', 'DELETE', 'TRACE', 'QUERY', 'SEARCH', 'PROPFIND', 'M-SEARCH'])(
    'rejects %s',
    async (method) => {
      const response = await small.app.inject({
        method: method as 'GET',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
      });
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    },
  );

  it.each([
    ['introspection', '{ __schema { types { name } } }'],
    ['two operations', `query a { __typename } query b { __typename }`],
    ['a mutation', 'mutation { x }'],
    ['an unknown field', '{ everything }'],
    ['broken syntax', '{ searchPackages('],
    ['no text', ''],
    ['too many tokens', `{ ${'__typename '.repeat(500)} }`],
    ['many aliases', `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: __typename`).join(' ')} }`],
    ['a fragment that holds itself', 'query { ...a } fragment a on Query { ...a }'],
  ])('refuses %s with GraphQL errors', async (_name, query) => {
    const errors = await errorsOf(query);
    expect(errors[0]?.message).toEqual(expect.any(String));
  });

  it.each([
    ['a field', '{ searchPackage { x } }', {}],
    [
      'a value',
      'query ($sort: PackageSort) { searchPackages(filters: {}, sortBy: $sort) { count } }',
      { sort: 'PRICE_AS' },
    ],
    ['a literal', '{ searchPackages(filters: {}, sortBy: PRICE_AS) { count } }', {}],
  ])('suggests no names of its schema for %s that is wrong', async (_name, query, variables) => {
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query, variables },
    });
    const { errors } = response.json();
    expect(errors[0].message).toEqual(expect.any(String));
    expect(errors[0].message).not.toMatch(/Did you mean|searchPackages|PRICE_ASC/);
  });

  it('allows pages on other hosts to call it, without credentials', async () => {
    const preflight = await small.app.inject({
      method: 'OPTIONS',
      url: '/graphql',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type, x-api-key',
    });
    for (const url of ['/config.json', '/graphql', '/data/locations.csv']) {
      const response = await small.app.inject({ url });
      expect(response.headers['access-control-allow-origin'], url).toBe('*');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expect((await small.app.inject({ url: '/' })).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('compresses a response as Accept-Encoding allows', async () => {
    const body = { query: SMALL_QUERY, variables: { filters: { ...FILTERS, duration: null } } };
    const many = SMALL_QUERY.replace('filters: $filters', 'filters: $filters, limit: 100');
    for (const encoding of ['zstd', 'br', 'gzip']) {
      const accepted = `gzip;q=0.5, ${encoding}`;
      // On a busy machine, the first answer may be 503.
      await expect
        .poll(() => post({ ...body, query: many }, { 'accept-encoding': accepted }))
        .toMatchObject({
          statusCode: 200,
          headers: { 'content-encoding': encoding, vary: expect.stringContaining('accept-encoding') },
        });
    }
    const plain = await post({ ...body, query: many }, { 'accept-encoding': 'zstd;q=0' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
  });

  it('serves the page at its four URLs, to be revalidated', async () => {
    for (const [url, title] of [
      ['/', 'Find a package holiday'],
      ['/results', 'Holiday results'],
      ['/explore?from=LGW', 'Explore holidays by price'],
      ['/alerts', 'Find a package holiday'],
    ] as const) {
      const response = await small.app.inject({ url });
      expect(response.statusCode, url).toBe(200);
      expect(response.body).toContain(`<title>${title} | Skylark</title>`);
      expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    }
    const { headers } = await small.app.inject({ url: '/' });
    const again = await small.app.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } });
    expect(again.statusCode).toBe(304);
  });

  it('lets browsers cache hashed files for a year, and revalidate others', async () => {
    const hashed = await small.app.inject({ url: '/index-B1c2D3e4.js' });
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const named = await small.app.inject({ url: '/hotel-placeholder.svg' });
    expect(named.headers['cache-control']).toBe('no-cache');
  });

  it('sends precompressed files to clients that accept them', async () => {
    const script = { url: '/index-B1c2D3e4.js', headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } };
    const page = { url: '/', headers: { 'accept-encoding': 'gzip' } };
    for (const [asked, encoding] of [
      [script, 'br'],
      [page, 'gzip'],
    ] as const) {
      const answer = await small.app.inject(asked);
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        vary: expect.stringMatching(/accept-encoding/i),
      });
    }
    const hashed = await small.app.inject(script);
    expect(hashed.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
  });

  it('sends a strict policy with the page', async () => {
    const { headers } = await small.app.inject({ url: '/' });
    const policy = String(headers['content-security-policy']);
    const hash = createHash('sha256').update(SHEET).digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`);
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each(['/nothing', '/data/other.csv', '/../package.json', '/%2e%2e/package.json', '/index.htm'])(
    'has nothing at %s',
    async (url) => {
      const response = await small.app.inject({ url });
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ error: expect.any(String), code: 'NOT_FOUND' });
    },
  );

  it.each([
    ['/../', '/../'],
    ['/./index-B1c2D3e4.js', '/./index-B1c2D3e4.js'],
    ['//healthz', '//healthz'],
    ['/%00', '/%00'],
    ['/index.html%00.js', '/index.html%00.js'],
    ['a name of 256 letters', `/${'a'.repeat(256)}`],
    ['a name of 15,000 letters', `/${'a'.repeat(15_000)}`],
    ['3,000 folders', '/a'.repeat(3_000)],
  ])('has nothing at %s, like any unknown URL', async (_name, path) => {
    const { app } = small;
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    // Sent over a socket, because `inject` would shorten some of these URLs.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toMatch(/"error":"Not found\."/);
    const metrics = (await app.inject({ url: '/metrics' })).body;
    expect(metrics).not.toMatch(/request_duration_seconds_count\{.*status="403"/);
  });

  it('lets pages on other hosts load the widget, and no other script', async () => {
    const widget = await small.app.inject({ url: '/widget/price-analysis.js' });
    expect(widget.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': expect.stringContaining('javascript'),
    });
    const own = await small.app.inject({ url: '/index-B1c2D3e4.js' });
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
    expect(own.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('responds to browser navigation to an unknown URL with a page that links back', async () => {
    const response = await small.app.inject({ url: '/nothing', headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers.vary).toMatch(/accept/);
    expect(response.body).toContain('<a href="/">');
  });

  it('serves the page’s configuration', async () => {
    const config = async () => (await small.app.inject({ url: '/config.json' })).json();
    // The first response does not wait until the parties have been read.
    await expect.poll(async () => (await config()).parties).not.toEqual([]);
    expect(await config()).toEqual({
      searchEndpoint: '/graphql',
      searchApiKey: API_KEY,
      conversationEndpoint: null,
      locationsUrl: '/data/locations.csv',
      departureAirportsUrl: '/data/departure-airports.csv',
      otherNames: expect.objectContaining({ Turkey: ['Türkiye'] }),
      brandName: 'Skylark',
      brandCode: 'SKY',
      providerName: 'Sunward',
      providerUrl: 'https://www.sunward.example/',
      providers: {
        SUN: {
          name: 'Sunward',
          logoUrl: null,
          atol: null,
          priceCheckUrl: '/visits/check',
          oftenDearer: false,
        },
        BLU: {
          name: 'Blue Bay',
          logoUrl: null,
          atol: null,
          priceCheckUrl: '/visits/check',
          oftenDearer: false,
        },
      },
      whatsappChannelId: null,
      alertsNeedYes: true,
      emailAlerts: false,
      searchAlerts: false,
      webPushKey: null,
      priceAnalysisUrl: '/widget/price-analysis.js',
      brandLogoUrl: null,
      brandColours: null,
      footerText: null,
      footerLinks: [
        { text: 'Privacy', url: '/privacy' },
        { text: 'Terms', url: '/terms' },
        { text: 'How we price', url: '/how-we-price' },
      ],
      visitsEndpoint: '/visits',
      vitalsEndpoint: '/vitals',
      cheapestDates: true,
      parties: [
        { adults: 2, children: 0, infants: 0 },
        { adults: 2, children: 1, infants: 0 },
      ],
      priceHistory: true,
      priceCalendar: true,
      explore: true,
      hotelPages: true,
      mapTiles: null,
      ntfyAlerts: false,
      facets: true,
      priceRecordRoot: null,
      sampleInventory: true,
    });
  });

  it('reports its health', async () => {
    const response = await small.app.inject({ url: '/healthz' });
    expect(response.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+(-dev)?$/),
      inventory: { loading: false, throughDay: '2027-05-12', offers: 1 },
    });
  });

  it('allows introspection if it is enabled', async () => {
    const open = await openSmallApp({ introspection: true });
    const response = await open.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query: '{ __schema { queryType { name } } }' },
    });
    expect(response.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
    await open.close();
  });
});
