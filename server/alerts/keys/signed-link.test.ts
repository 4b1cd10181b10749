import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { alertKeys } from './alert-keys.ts';
import { linkAddress, readToken, type SignedLink, signToken } from './signed-link.ts';

const KEYS = alertKeys(randomBytes(32));
const NOW = Date.parse('2027-01-15T12:00:00Z');
const SINCE = NOW - 3_600_123;
const sinceOf = async () => SINCE;
const LINK: SignedLink = { purpose: 'stop', contact: 41, watch: 7, expiresAt: NOW + 60_000 };

describe('A signed link', () => {
  it.each([LINK, { ...LINK, purpose: 'confirm' as const }, { ...LINK, watch: null }])(
    'contains what was signed',
    async (link) => {
      expect(await readToken(KEYS, signToken(KEYS, link, SINCE), NOW, sinceOf)).toEqual(link);
    },
  );

  it('is refused after any change, and with another key', async () => {
    const token = signToken(KEYS, LINK, SINCE);
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'm' ? 'n' : 'm'}${token.slice(at + 1)}`;
      expect(await readToken(KEYS, changed, NOW, sinceOf)).toBeNull();
    }
    expect(await readToken(alertKeys(randomBytes(32)), token, NOW, sinceOf)).toBeNull();
    expect(await readToken(KEYS, '', NOW, sinceOf)).toBeNull();
  });

  it('is refused if its ID now belongs to another contact, or to no contact', async () => {
    const token = signToken(KEYS, LINK, SINCE);
    for (const since of [SINCE + 1, SINCE - 1, NOW, null]) {
      expect(await readToken(KEYS, token, NOW, async () => since)).toBeNull();
    }
  });

  it('expires', async () => {
    expect(await readToken(KEYS, signToken(KEYS, LINK, SINCE), NOW + 60_000, sinceOf)).toBeNull();
  });

  it('has the URL of its purpose', () => {
    const address = linkAddress(
      KEYS,
      'https://skylark.example',
      { purpose: 'confirm', contact: 1, watch: null },
      { from: NOW, since: SINCE },
    );
    expect(address).toMatch(/^https:\/\/skylark\.example\/my-alerts\/confirm\?token=c\.1\.0\.[\w.-]+$/);
  });
});
