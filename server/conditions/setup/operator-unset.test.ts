import { describe, expect, it } from 'vitest';
import { parseAlertsConfig } from '../../alerts/alerts-config.ts';
import { parseConfig } from '../../config.ts';
import { findingsOf } from '../condition.ts';
import { OPERATOR_UNSET, PUBLIC_URL_WRONG } from './operator-unset.ts';

const SET = {
  NODE_ENV: 'production',
  PROVIDER_URL: 'https://www.seaward.co.uk/',
  CONTACT_EMAIL: 'hello@seaward.co.uk',
  OPERATOR_NAME: 'Seaward Travel Ltd',
  OPERATOR_ADDRESS: '1 Quay Street, Bristol BS1 4DJ',
  PUBLIC_URL: 'https://holidays.seaward.co.uk',
};

async function check(variables: Record<string, string>) {
  const parsed = parseConfig(variables);
  if (parsed.kind === 'refused') throw new Error(parsed.message);
  const alerts = parseAlertsConfig({});
  if (alerts.kind === 'refused') throw new Error(alerts.message);
  return findingsOf([OPERATOR_UNSET, PUBLIC_URL_WRONG], { config: parsed.config, alerts: alerts.config });
}

describe('The conditions of the site', () => {
  it('requires nothing outside production', async () => {
    expect(await check({})).toEqual([]);
  });

  it('passes once operator, contact and URL are set', async () => {
    expect((await check(SET)).map(({ level }) => level)).toEqual(['ok']);
  });

  it.each(['PROVIDER_URL', 'CONTACT_EMAIL', 'OPERATOR_NAME', 'OPERATOR_ADDRESS'])(
    'fails in production without %s',
    async (name) => {
      const findings = await check({ ...SET, [name]: '' });
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
  ])('fails in production while %s is the placeholder %s', async (name, value) => {
    expect(await check({ ...SET, [name]: value })).toContainEqual(
      expect.objectContaining({ level: 'bad', summary: expect.stringContaining(`${name} is a placeholder`) }),
    );
  });

  it('accepts a real host name that begins with example', async () => {
    expect(await check({ ...SET, PROVIDER_URL: 'https://exampleholidays.com/' })).toMatchObject([
      { level: 'ok' },
    ]);
  });

  it.each(['', 'http://holidays.seaward.co.uk'])('warns of PUBLIC_URL=%s', async (PUBLIC_URL) => {
    expect(await check({ ...SET, PUBLIC_URL })).toMatchObject([{ level: 'ok' }, { level: 'warn' }]);
  });
});
