import { describe, expect, it } from 'vitest';
import { inboxOf, parseEmailAddress } from './email-address.ts';

describe('An email address', () => {
  it.each([
    ['someone@example.com', 'someone@example.com'],
    ['  Some.One@Example.COM ', 'Some.One@example.com'],
    ['\u200bsomeone@example.com\u00a0', 'someone@example.com'],
    ["o'neill+sun@mail.example.co.uk", "o'neill+sun@mail.example.co.uk"],
    ['someone@münchen.example', 'someone@münchen.example'],
  ])('reads %j', (typed, canonical) => {
    expect(parseEmailAddress(typed)).toEqual({ kind: 'valid', canonical });
  });

  it.each([
    '',
    '@',
    'someone',
    'someone@',
    '@example.com',
    'someone@localhost',
    'someone@127.0.0.1',
    'some one@example.com',
    'someone@example..com',
    'someone@-example.com',
    '.someone@example.com',
    '"some one"@example.com',
    'someone@example.com, other@example.com',
    'someone@example.com\r\nBcc: other@example.com',
    'someone@[127.0.0.1]',
    'a@b@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('refuses %j', (typed) => {
    expect(parseEmailAddress(typed)).toEqual({ kind: 'invalid' });
  });

  it('identifies the same inbox in any spelling', () => {
    expect(inboxOf('Some.One+sun@example.com')).toBe('some.one@example.com');
    expect(inboxOf('+@example.com')).toBe('+@example.com');
  });
});
