import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PAGE_CONFIG, parsePageConfig } from './page-config.ts';

afterEach(() => vi.restoreAllMocks());

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
    ['an address that is blank', { providerUrl: '' }, 'providerUrl'],
    ['a number for a name', { brandName: 7 }, 'brandName'],
    ['a provider without a name', { providers: { SUN: {} } }, 'providers.SUN.name'],
    ['no list of providers', { providers: null }, 'providers'],
  ])('does without %s, and says so', (_, raw, named) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(parsePageConfig({ ...raw, brandCode: 'ABC' })).toEqual({
      ...DEFAULT_PAGE_CONFIG,
      brandCode: 'ABC',
    });
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`config.json: ${named} is wrong`));
  });

  it.each([
    ['a list of services', { searchEndpoint: ['/graphql'] }, 'searchEndpoint'],
    ['a number for a list', { locationsUrl: 7 }, 'locationsUrl'],
    ['nothing', null, 'config.json'],
    ['a list', [], 'config.json'],
  ])('refuses %s by name', (_, raw, named) => {
    expect(() => parsePageConfig(raw)).toThrow(named);
  });
});
