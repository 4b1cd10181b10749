import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUkPhone, INVALID_PHONE_MESSAGE, isUkMobile, parseUkPhone } from './uk-phone.ts';

describe('parseUkPhone', () => {
  // @proves 5.7
  it.each([
    '7700900123',
    '07700900123',
    '07700 900123',
    '(07700) 900-123',
    '+44 7700 900123',
    '447700900123',
    '[+44] 7700–900–123',
    ' 07700\u00a0900\t123 ',
    // Pasted from a contact list or web page
    '\u202a+44 7700 900123\u202c',
    '\u2068+44\u2069 7700\u200b900\u200d123\ufeff',
    '07700\u2060900\u00ad123\u200e',
  ])('gives %j the same canonical form', (text) => {
    expect(parseUkPhone(text)).toEqual({ kind: 'valid', canonical: '447700900123' });
  });

  it.each([
    // Valid by their shape, although no such number is allocated.
    ['0200 000 0000', '442000000000'],
    ['077009001234', '4477009001234'],
    ['77009001234', '4477009001234'],
    ['4477009001234', '4477009001234'],
    // Ten or eleven digits that begin with 44. Too few follow for 44 to be the country code.
    ['4477009001', '444477009001'],
    ['44770090012', '4444770090012'],
  ])('%s is %s', (text, canonical) => {
    expect(parseUkPhone(text)).toEqual({ kind: 'valid', canonical });
  });

  it.each([
    '',
    '0',
    '+',
    '770090012',
    '077009001234567',
    '00447700900123',
    '+4407700900123',
    '+44 (0)7700 900123',
    '0044 7700 900123',
    '007700900123',
    '07700900123x',
    '07700.900.123',
    '07700/900123',
    '٠٧٧٠٠٩٠٠١٢٣',
    'call me',
  ])('%j is invalid', (text) => {
    expect(parseUkPhone(text)).toEqual({ kind: 'invalid' });
  });

  // @proves 5.6
  it('accepts exactly what Section 5 accepts, and returns a canonical form unchanged', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789 -()+47'), maxLength: 18 });
    fc.assert(
      fc.property(typed, (text) => {
        const result = parseUkPhone(text);
        const isAccepted = /^(0|44)?[1-9]\d{9,10}$/.test(text.replaceAll(/[ \-()+]/g, ''));
        expect(result.kind).toBe(isAccepted ? 'valid' : 'invalid');
        if (result.kind === 'invalid') return;
        expect(result.canonical).toMatch(/^44[1-9]\d{9,10}$/);
        expect(parseUkPhone(result.canonical)).toEqual(result);
        expect(parseUkPhone(`+${result.canonical}`)).toEqual(result);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the message of Section 8', () => {
    expect(INVALID_PHONE_MESSAGE).toBe('Please enter a valid UK phone number');
  });
});

describe('isUkMobile', () => {
  it.each([
    ['447700900123', true],
    ['447700900999', true],
    ['447624123456', true],
    ['447600123456', false],
    ['447623123456', false],
    ['447012345678', false],
    ['4477009001234', false],
    ['44770090012', false],
    ['442000000000', false],
    ['07700900123', false],
    ['+447700900123', false],
    ['', false],
  ])('%s: %s', (canonical, isMobile) => {
    expect(isUkMobile(canonical)).toBe(isMobile);
  });
});

describe('formatUkPhone', () => {
  it.each([
    ['447700900123', '+44 7700 900123'],
    ['442000000000', '+44 2000 000000'],
    ['4477009001234', '+44 7700 9001234'],
  ])('formats %s as %s, which parses to the same number', (canonical, words) => {
    expect(formatUkPhone(canonical)).toBe(words);
    expect(parseUkPhone(words)).toEqual({ kind: 'valid', canonical });
  });
});
