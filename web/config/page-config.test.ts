import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PAGE_CONFIG, parsePageConfig } from './page-config.ts';

afterEach(() => vi.restoreAllMocks());

describe('parsePageConfig', () => {
  it('has defaults for missing keys', () => {
    expect(parsePageConfig({ brandCode: 'ABC' })).toEqual({ ...DEFAULT_PAGE_CONFIG, brandCode: 'ABC' });
    expect(DEFAULT_PAGE_CONFIG).toMatchObject({ searchEndpoint: '/graphql', priceAnalysisUrl: null });
  });

  it('keeps providers by code if they have a name', () => {
    const { providers } = parsePageConfig({ providers: { SUN: { name: 'Sunward' } } });
    expect(providers).toEqual({
      SUN: { name: 'Sunward', logoUrl: null, atol: null, priceCheckUrl: null, oftenDearer: false },
    });
  });

  it('accepts only parties with an adult; missing children and infants count as 0', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(parsePageConfig({ parties: [{ adults: 1 }, { adults: 2, children: 2 }] }).parties).toEqual([
      { adults: 1, children: 0, infants: 0 },
      { adults: 2, children: 2, infants: 0 },
    ]);
    expect(warned).not.toHaveBeenCalled();
    for (const parties of [[{ adults: 0 }], [{ children: 1 }], ['2-0-0'], 'families', [null]]) {
      expect(parsePageConfig({ parties, brandCode: 'ABC' })).toEqual({
        ...DEFAULT_PAGE_CONFIG,
        brandCode: 'ABC',
      });
    }
  });

  it('ignores unknown fields', () => {
    expect(parsePageConfig({ colour: 'mauve' })).toEqual(DEFAULT_PAGE_CONFIG);
  });

  it.each([
    ['a script as the provider URL', { providerUrl: 'javascript:alert(1)' }, 'providerUrl'],
    ['a blank URL', { providerUrl: '' }, 'providerUrl'],
    ['a number for a name', { brandName: 7 }, 'brandName'],
    ['a provider without a name', { providers: { SUN: {} } }, 'providers.SUN.name'],
    ['no list of providers', { providers: null }, 'providers'],
    ['a script as the logo', { brandLogoUrl: 'javascript:alert(1)' }, 'brandLogoUrl'],
    ['a script as the widget', { priceAnalysisUrl: 'javascript:alert(1)' }, 'priceAnalysisUrl'],
    ['data as the widget', { priceAnalysisUrl: 'data:text/javascript,alert(1)' }, 'priceAnalysisUrl'],
    ['a widget over plain http', { priceAnalysisUrl: 'http://a.example/w.js' }, 'priceAnalysisUrl'],
    ['a script in an unusual spelling', { visitsEndpoint: ' JAVA\nscript:alert(1)' }, 'visitsEndpoint'],
    ['a file as the vitals endpoint', { vitalsEndpoint: 'file:///etc/passwd' }, 'vitalsEndpoint'],
    ['a URL that does not parse', { priceAnalysisUrl: 'https://' }, 'priceAnalysisUrl'],
  ])('ignores %s with a warning', (_, raw, named) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(parsePageConfig({ ...raw, brandCode: 'ABC' })).toEqual({
      ...DEFAULT_PAGE_CONFIG,
      brandCode: 'ABC',
    });
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(`config.json: ${named} is invalid`),
    );
  });

  it('ignores one invalid logo, and keeps everything else of every provider', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { providers } = parsePageConfig({
      providers: {
        SUN: { name: 'Sunward', logoUrl: 'javascript:alert(1)', atol: 12_345 },
        SEA: { name: 'Seaward', logoUrl: 'https://www.seaward.example/logo.svg' },
        AIR: {},
      },
    });
    expect(providers).toEqual({
      SUN: { name: 'Sunward', logoUrl: null, atol: '12345', priceCheckUrl: null, oftenDearer: false },
      SEA: {
        name: 'Seaward',
        logoUrl: 'https://www.seaward.example/logo.svg',
        atol: null,
        priceCheckUrl: null,
        oftenDearer: false,
      },
    });
    expect(warned.mock.calls.flat()).toEqual([
      expect.stringContaining(
        'config.json: providers.SUN.logoUrl is invalid: Expected a path or an https URL',
      ),
      expect.stringContaining('config.json: providers.AIR.name is invalid'),
    ]);
  });

  it('accepts paths and https URLs, and does not change its argument', () => {
    const raw = {
      searchEndpoint: 'http://127.0.0.1:3000/graphql',
      brandLogoUrl: '/brand/logo.svg',
      priceAnalysisUrl: 'https://widgets.example/analysis.js',
      visitsEndpoint: 'visits',
      sampleInventory: 'yes',
    };
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { sampleInventory, ...rest } = raw;
    expect(parsePageConfig(raw)).toEqual({ ...DEFAULT_PAGE_CONFIG, ...rest });
    expect(raw.sampleInventory).toBe(sampleInventory);
  });

  it.each([
    ['a script for a service', { searchEndpoint: 'javascript:alert(1)' }, 'searchEndpoint'],
    ['a script for a list', { locationsUrl: 'javascript:alert(1)' }, 'locationsUrl'],
    ['a list of services', { searchEndpoint: ['/graphql'] }, 'searchEndpoint'],
    ['a number for a list', { locationsUrl: 7 }, 'locationsUrl'],
    ['nothing', null, 'config.json'],
    ['a list', [], 'config.json'],
  ])('rejects %s, with its name in the message', (_, raw, named) => {
    expect(() => parsePageConfig(raw)).toThrow(named);
  });
});
