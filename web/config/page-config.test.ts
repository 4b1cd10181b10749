import { describe, expect, it } from 'vitest';
import { DEFAULT_PAGE_CONFIG, parsePageConfig } from './page-config.ts';

describe('the page configuration', () => {
  it('fills what an operator leaves out', () => {
    expect(parsePageConfig({ brandCode: 'ABC' })).toEqual({ ...DEFAULT_PAGE_CONFIG, brandCode: 'ABC' });
    expect(DEFAULT_PAGE_CONFIG).toMatchObject({ searchEndpoint: '/graphql', priceAnalysisUrl: null });
  });

  it('keeps providers by code, with a name at least', () => {
    const { providers } = parsePageConfig({ providers: { SUN: { name: 'Sunward' } } });
    expect(providers).toEqual({ SUN: { name: 'Sunward', logoUrl: null, atol: null } });
  });

  it('ignores fields that it does not know', () => {
    expect(parsePageConfig({ colour: 'mauve' })).toEqual(DEFAULT_PAGE_CONFIG);
  });

  it.each([
    ['a script as the provider address', { providerUrl: 'javascript:alert(1)' }, 'providerUrl'],
    ['a number for a name', { brandName: 7 }, 'brandName'],
    ['a provider without a name', { providers: { SUN: {} } }, 'providers.SUN.name'],
    ['nothing', null, 'config.json'],
  ])('refuses %s by name', (_, raw, named) => {
    expect(() => parsePageConfig(raw)).toThrow(named);
  });
});
