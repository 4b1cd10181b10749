import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { alertKeys } from './alert-keys.ts';
import { linkAddress, readToken, type SignedLink, signToken } from './signed-link.ts';

const KEYS = alertKeys(randomBytes(32));
const NOW = Date.parse('2027-01-15T12:00:00Z');
const LINK: SignedLink = { purpose: 'stop', person: 41, watch: 7, expiresAt: NOW + 60_000 };

describe('a signed link', () => {
  it.each([LINK, { ...LINK, purpose: 'confirm' as const }, { ...LINK, watch: null }])(
    'is read as it was signed',
    (link) => {
      expect(readToken(KEYS, signToken(KEYS, link), NOW)).toEqual({ kind: 'valid', link });
    },
  );

  it('is refused after any change, and with another key', () => {
    const token = signToken(KEYS, LINK);
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'm' ? 'n' : 'm'}${token.slice(at + 1)}`;
      expect(readToken(KEYS, changed, NOW)).toEqual({ kind: 'invalid' });
    }
    expect(readToken(alertKeys(randomBytes(32)), token, NOW)).toEqual({ kind: 'invalid' });
    expect(readToken(KEYS, '', NOW)).toEqual({ kind: 'invalid' });
  });

  it('expires', () => {
    expect(readToken(KEYS, signToken(KEYS, LINK), NOW + 60_000)).toEqual({ kind: 'expired' });
  });

  it('has an address of its purpose', () => {
    const address = linkAddress(
      KEYS,
      'https://skylark.example',
      { purpose: 'confirm', person: 1, watch: null },
      NOW,
    );
    expect(address).toMatch(/^https:\/\/skylark\.example\/my-alerts\/confirm\?token=c\.1\.0\.[\w.-]+$/);
  });
});
