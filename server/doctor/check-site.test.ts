import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config.ts';
import { checkSite } from './check-site.ts';

const SET = {
  NODE_ENV: 'production',
  PROVIDER_URL: 'https://www.seaward.co.uk/',
  CONTACT_EMAIL: 'hello@seaward.co.uk',
  OPERATOR_NAME: 'Seaward Travel Ltd',
  OPERATOR_ADDRESS: '1 Quay Street, Bristol BS1 4DJ',
  PUBLIC_URL: 'https://holidays.seaward.co.uk',
};

function check(variables: Record<string, string>) {
  const parsed = parseConfig(variables);
  if (parsed.kind === 'refused') throw new Error(parsed.message);
  return checkSite(parsed.config, null);
}

describe('checkSite', () => {
  it('requires nothing outside production', () => {
    expect(check({})).toEqual([]);
  });

  it('passes once operator, contact and URL are set', () => {
    expect(check(SET).map(({ level }) => level)).toEqual(['ok']);
  });

  it.each(['PROVIDER_URL', 'CONTACT_EMAIL', 'OPERATOR_NAME', 'OPERATOR_ADDRESS'])(
    'fails in production without %s',
    (name) => {
      const findings = check({ ...SET, [name]: '' });
      expect(findings).toMatchObject([{ level: 'bad', summary: `${name} is not set.` }]);
    },
  );

  it.each([
    ['PROVIDER_URL', 'https://www.skylark.example/'],
    ['PROVIDER_URL', 'https://example.com'],
    ['PROVIDER_URL', 'http://localhost:3000/'],
    ['CONTACT_EMAIL', 'me@example.org'],
    ['OPERATOR_NAME', 'Example Holidays Ltd'],
    ['SECURITY_CONTACT', 'mailto:security@holidays.example'],
    ['PUBLIC_URL', 'https://holidays.example'],
  ])('fails in production while %s is the placeholder %s', (name, value) => {
    expect(check({ ...SET, [name]: value })).toContainEqual(
      expect.objectContaining({ level: 'bad', summary: expect.stringContaining(`${name} is a placeholder`) }),
    );
  });

  it('accepts a real host name that begins with example', () => {
    expect(check({ ...SET, PROVIDER_URL: 'https://exampleholidays.com/' })).toMatchObject([{ level: 'ok' }]);
  });

  it.each(['', 'http://holidays.seaward.co.uk'])('warns of PUBLIC_URL=%s', (PUBLIC_URL) => {
    expect(check({ ...SET, PUBLIC_URL })).toMatchObject([{ level: 'ok' }, { level: 'warn' }]);
  });
});
