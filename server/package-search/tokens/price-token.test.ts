import { describe, expect, it } from 'vitest';
import { priceTokens } from './price-token.ts';

const NOW = 30_000_005;
const tokens = priceTokens(Buffer.from('a key'));
const shown = { itemKey: 'SUN:BEN23:LGW:2026-12-11:7:AI:DBL:2-0-0', price: 96_450 };
const token = tokens.issue(shown.itemKey, shown.price, NOW);

describe('a price token', () => {
  it('is valid for its package and price for a day', () => {
    expect(tokens.isValid(shown, token, NOW)).toBe(true);
    expect(tokens.isValid(shown, token, NOW + 24 * 60 - 10)).toBe(true);
    expect(tokens.isValid(shown, token, NOW + 24 * 60 + 10)).toBe(false);
  });

  it('stays valid if the clock is set back by up to a day', () => {
    expect(tokens.isValid(shown, token, NOW - 60)).toBe(true);
    expect(tokens.isValid(shown, token, NOW - 24 * 60 + 10)).toBe(true);
    expect(tokens.isValid(shown, token, NOW - 24 * 60 - 10)).toBe(false);
  });

  it.each([
    ['another price', { ...shown, price: 100 }, token],
    ['another package', { ...shown, itemKey: 'SUN:BEN24:LGW:2026-12-11:7:AI:DBL:2-0-0' }, token],
    ['a later time', shown, `z${token}`],
    ['a changed signature', shown, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['more after it', shown, `${token}.x`],
    ['no signature', shown, token.split('.')[0] ?? ''],
    ['no token', shown, ''],
    ['another key', shown, priceTokens(Buffer.from('b key')).issue(shown.itemKey, shown.price, NOW)],
    ['letters of several bytes', shown, `${token.split('.')[0]}.${'é'.repeat(12)}`],
  ])('is invalid with %s', (_, claimed, given) => {
    expect(tokens.isValid(claimed, given, NOW)).toBe(false);
  });

  it('is the same within ten minutes, so that equal searches have equal responses', () => {
    expect(tokens.issue(shown.itemKey, shown.price, NOW + 4)).toBe(token);
    expect(tokens.issue(shown.itemKey, shown.price, NOW + 5)).not.toBe(token);
  });
});
