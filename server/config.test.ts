import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { NO_BRAND } from './page/brand-folder.ts';

describe('parseConfig', () => {
  it('has a default for everything', () => {
    expect(parseConfig({})).toEqual({
      kind: 'config',
      config: {
        port: 3000,
        host: '127.0.0.1',
        store: { kind: 'embedded', dataDir: './data' },
        collapse: 'hotel',
        sampleInventory: true,
        sampleSeed: 1,
        searchApiKey: 'skylark-public',
        mcp: true,
        brandCode: 'SKY',
        brandName: 'Skylark',
        providerName: 'Skylark',
        providerUrl: null,
        publicUrl: null,
        operator: {
          name: null,
          postalAddress: null,
          email: null,
          securityContact: null,
          lawfulBasis: 'your consent (UK GDPR, article 6(1)(a))',
        },
        priceAnalysisUrl: '/widget/price-analysis.js',
        mapTiles: null,
        mapAttribution: null,
        priceStaleAfterDays: 3,
        brand: NO_BRAND,
        tokenKey: null,
        metricsToken: null,
        trustedProxies: [],
        requestLimit: 1_200,
        adminPath: '/admin',
        adminPort: null,
        stopDelayMs: 0,
        logLevel: 'info',
        mode: 'development',
      },
    });
  });

  it('reads variables, and ignores empty ones', () => {
    const parsed = parseConfig({
      PORT: '0',
      HOST: '',
      DATA_DIR: '/var/lib/skylark',
      SEARCH_COLLAPSE: 'none',
      SAMPLE_INVENTORY: 'off',
      SAMPLE_SEED: '4294967295',
      PROVIDER_URL: 'http://provider.example',
      CONTACT_EMAIL: 'hello@provider.example',
      TOKEN_KEY: '0123456789abcdef',
      NODE_ENV: 'test',
    });
    expect(parsed).toMatchObject({
      kind: 'config',
      config: {
        port: 0,
        host: '127.0.0.1',
        store: { kind: 'embedded', dataDir: '/var/lib/skylark' },
        collapse: 'none',
        sampleInventory: false,
        sampleSeed: 4_294_967_295,
        providerUrl: 'http://provider.example',
        publicUrl: null,
        operator: {
          name: null,
          postalAddress: null,
          email: 'hello@provider.example',
          securityContact: 'mailto:hello@provider.example',
          lawfulBasis: 'your consent (UK GDPR, article 6(1)(a))',
        },
        tokenKey: '0123456789abcdef',
        mode: 'test',
      },
    });
  });

  it.each([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535 (got "http").'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535 (got "65536").'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535 (got "-1").'],
    ['PORT', '3000.5', 'PORT must be a whole number from 0 to 65535 (got "3000.5").'],
    ['HOST', ' ', 'HOST must be non-blank text (got " ").'],
    ['SEARCH_COLLAPSE', 'room', 'SEARCH_COLLAPSE must be hotel or none (got "room").'],
    ['SAMPLE_INVENTORY', 'yes', 'SAMPLE_INVENTORY must be on or off (got "yes").'],
    [
      'SAMPLE_SEED',
      '4294967296',
      'SAMPLE_SEED must be a whole number from 0 to 4294967295 (got "4294967296").',
    ],
    [
      'PROVIDER_URL',
      'javascript:alert(1)',
      'PROVIDER_URL must be an http or https URL with a host name of letters, digits, dots and hyphens (got "javascript:alert(1)").',
    ],
    ...['postgresql://db-1,db-2/skylark', 'postgresql://db-1:5432,db-2:5432/skylark'].map((value) => [
      'DATABASE_URL',
      value,
      'DATABASE_URL must be a URL with one host, such as postgresql://user:password@host:5432/database (the value is not shown).',
    ]),
    ['TOKEN_KEY', 'short', 'TOKEN_KEY must be at least 16 characters (the value is not shown).'],
    ...['0.0.0.0/0', '::/0', '0.0.0.0/1', '::ffff:10.0.0.0/104'].map((value) => [
      'TRUST_PROXY',
      value,
      `TRUST_PROXY must be IP addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas; no range wider than /7, whose clients could claim any address (got "${value}").`,
    ]),
    [
      'ADMIN_PATH',
      '/results',
      'ADMIN_PATH must be /admin, or /admin and further letters, digits and hyphens (got "/results").',
    ],
    ['NODE_ENV', 'prod', 'NODE_ENV must be development, production or test (got "prod").'],
  ])('refuses %s=%s', (name, value, message) => {
    expect(parseConfig({ [name]: value })).toEqual({ kind: 'refused', message });
  });

  it.each([
    ['none', null],
    ['/widget/other.js', '/widget/other.js'],
    ['https://widgets.example/price.js', 'https://widgets.example/price.js'],
  ])('accepts %s as a widget', (given, taken) => {
    expect(parseConfig({ PRICE_ANALYSIS_URL: given })).toMatchObject({ config: { priceAnalysisUrl: taken } });
  });

  it.each([
    'http://widgets.example/price.js',
    '//widgets.example/price.js',
    'price.js',
    'javascript:alert(1)',
    'https://widgets.example;script-src/price.js',
    'https://widgets.example,https/price.js',
    "https://widgets.example'unsafe-inline'/price.js",
    'https://*/price.js',
  ])('refuses %s as a widget', (given) => {
    const message = expect.stringContaining('PRICE_ANALYSIS_URL');
    expect(parseConfig({ PRICE_ANALYSIS_URL: given })).toMatchObject({ kind: 'refused', message });
  });
});
