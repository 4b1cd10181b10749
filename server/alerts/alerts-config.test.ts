import { describe, expect, it } from 'vitest';
import { parseAlertsConfig } from './alerts-config.ts';

const META = {
  ALERT_PROVIDER: 'meta',
  META_PHONE_NUMBER_ID: '1',
  META_TOKEN: 't',
  META_APP_SECRET: 's',
  META_VERIFY_TOKEN: 'v',
};
const IDS = {
  ALERT_TEMPLATE_CONFIRM: 'c',
  ALERT_TEMPLATE_WELCOME: 'w',
  ALERT_TEMPLATE_DROP: 'd',
};

describe('parseAlertsConfig', () => {
  it('defaults to confirmation, quiet hours and the local outbox', () => {
    expect(parseAlertsConfig({ ALERT_CONFIRMATION: '' })).toEqual({
      kind: 'config',
      config: {
        confirmation: 'required',
        secret: null,
        quietHours: { from: 21 * 60, until: 8 * 60 },
        limits: { addressPerHour: 20, numberPerDay: 10, blockPerHour: 200 },
        sending: {
          perSecond: 80,
          numberEveryMs: 6_000,
          messagesPerDay: 100_000,
          pencePerDay: 100_000,
          pencePerMessage: 4,
          pencePerMarketing: 6,
          timeoutMs: 8_000,
        },
        retentionDays: 30,
        provider: { kind: 'local' },
        mailServer: null,
        ntfy: null,
        operatorName: null,
        operatorAddress: null,
        email: { kind: 'local', perSecond: 10 },
        webPush: {
          key: null,
          subject: 'mailto:alerts@skylark.invalid',
          services: [
            'fcm.googleapis.com',
            '*.push.services.mozilla.com',
            '*.notify.windows.com',
            '*.push.apple.com',
          ],
        },
        hasOutboxPage: true,
        isOffered: true,
        siteUrl: 'http://localhost:3000',
        conversationEndpoint: '',
        channelId: 'skylark',
      },
    });
  });

  const mail = {
    ALERT_EMAIL: 'on',
    SMTP_URL: 'smtps://user:secret@mail.example',
    MAIL_FROM: 'Skylark <alerts@skylark.example>',
  };
  const site = { NODE_ENV: 'production', PUBLIC_URL: 'https://skylark.example' };

  it('offers email and web push in production once their settings are complete', () => {
    expect(parseAlertsConfig({ NODE_ENV: 'production' })).toMatchObject({
      config: { email: null, webPush: null },
    });
    expect(parseAlertsConfig({ ...site, ...mail })).toMatchObject({
      config: {
        email: { kind: 'smtp', url: mail.SMTP_URL, from: mail.MAIL_FROM, timeoutMs: 60_000 },
        webPush: { subject: 'mailto:alerts@skylark.example' },
      },
    });
    expect(parseAlertsConfig({ ...site, ...mail, ALERT_EMAIL: 'off' })).toMatchObject({
      config: { email: null, mailServer: { url: mail.SMTP_URL, from: mail.MAIL_FROM } },
    });
    expect(parseAlertsConfig(site)).toMatchObject({
      config: { webPush: { subject: 'https://skylark.example' } },
    });
  });

  it.each([
    [{ ...site, SMTP_URL: mail.SMTP_URL }, 'MAIL_FROM'],
    [{ ...site, ALERT_EMAIL: 'on' }, 'SMTP_URL'],
    [{ ...mail, NODE_ENV: 'production' }, 'PUBLIC_URL'],
    [{ ...site, ...mail, SMTP_URL: 'https://mail.example' }, 'SMTP_URL'],
    [{ ...site, ...mail, MAIL_FROM: 'Skylark' }, 'MAIL_FROM'],
    [{ ...site, VAPID_KEY: 'short' }, 'VAPID_KEY'],
    [{ ...site, VAPID_SUBJECT: 'alerts@skylark.example' }, 'VAPID_SUBJECT'],
    [{ ...site, PUSH_SERVICES: 'https://push.example' }, 'PUSH_SERVICES'],
  ])('refuses %j and names %s', (variables, name) => {
    const refused = parseAlertsConfig(variables);
    expect(refused).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(new RegExp(`^${name} must`)),
    });
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  it.each([
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'development' }, true],
    [META, false],
  ])('shows the outbox with %j: %s', (variables, isShown) => {
    expect(parseAlertsConfig(variables)).toMatchObject({ config: { hasOutboxPage: isShown } });
  });

  it('offers no alerts in production without a provider, unless another service takes the sign-ups', () => {
    const production = { NODE_ENV: 'production' };
    expect(parseAlertsConfig(production)).toMatchObject({
      config: { isOffered: false, conversationEndpoint: null },
    });
    const elsewhere = { ...production, CONVERSATION_ENDPOINT: 'https://talk.example' };
    expect(parseAlertsConfig(elsewhere)).toMatchObject({
      config: { isOffered: false, conversationEndpoint: 'https://talk.example' },
    });
    expect(parseAlertsConfig({ ...META, ...production })).toEqual({
      kind: 'refused',
      message: expect.stringContaining('PUBLIC_URL') as string,
    });
    expect(parseAlertsConfig({ ...META, ...production, PUBLIC_URL: 'https://a.example' })).toMatchObject({
      config: { isOffered: true, conversationEndpoint: '' },
    });
  });

  it.each([
    [META, 'meta', 'https://graph.facebook.com'],
    [
      {
        ...IDS,
        ALERT_PROVIDER: 'twilio',
        TWILIO_ACCOUNT_SID: 'AC',
        TWILIO_AUTH_TOKEN: 't',
        TWILIO_FROM: '+447700900000',
        PUBLIC_URL: 'https://a.example/',
      },
      'twilio',
      'https://api.twilio.com',
    ],
  ])('reads the settings of %j', (variables, kind, baseUrl) => {
    expect(parseAlertsConfig(variables)).toMatchObject({ config: { provider: { kind, baseUrl } } });
  });

  it.each([
    [{ ALERT_CONFIRMATION: 'maybe' }, 'ALERT_CONFIRMATION must be required or none (got "maybe").'],
    [{ ALERT_PROVIDER: 'pigeon' }, 'ALERT_PROVIDER must be local, meta or twilio (got "pigeon").'],
    [{ ALERT_PROVIDER: 'bird' }, 'ALERT_PROVIDER must be local, meta or twilio (got "bird").'],
    [{ ALERT_RETENTION_DAYS: '1' }, 'ALERT_RETENTION_DAYS must be a whole number from 2 to 3650 (got "1").'],
    [{ ALERT_RATE: '0' }, 'ALERT_RATE must be a whole number from 1 to 1000 (got "0").'],
    [{ ALERT_LIMIT_NUMBER: '-1' }, 'ALERT_LIMIT_NUMBER must be a whole number from 0 to 1000000 (got "-1").'],
    [
      { ALERT_QUIET_HOURS: '08:00-21:00' },
      'ALERT_QUIET_HOURS must be none, or two times such as 21:00-08:00, the first later than the second (got "08:00-21:00").',
    ],
    [{ ALERT_PROVIDER: 'meta' }, 'META_PHONE_NUMBER_ID must be set: the chosen provider requires it.'],
    [
      { ...META, META_API_URL: 'https://graph.facebook.com/v19.0/' },
      'META_API_URL must be an http or https URL without a version, which META_API_VERSION gives (got "https://graph.facebook.com/v19.0/").',
    ],
    [{ ...META, META_API_VERSION: '24' }, 'META_API_VERSION must be a version such as v24.0 (got "24").'],
    [
      { CONVERSATION_ENDPOINT: 'https://talk.example;default-src' },
      'CONVERSATION_ENDPOINT must be an http or https URL with a host name of letters, digits, dots and hyphens (got "https://talk.example;default-src").',
    ],
    [
      { ...META, META_API_URL: 'ftp://x' },
      'META_API_URL must be an http or https URL with a host name of letters, digits, dots and hyphens (got "ftp://x").',
    ],
    [
      { CONVERSATION_ENDPOINT: 'there' },
      'CONVERSATION_ENDPOINT must be an http or https URL with a host name of letters, digits, dots and hyphens (got "there").',
    ],
  ])('rejects %j with a message that names the variable', (variables, message) => {
    expect(parseAlertsConfig(variables)).toEqual({ kind: 'refused', message });
  });

  it('does not quote a secret in its message', () => {
    const refused = parseAlertsConfig({ ALERTS_KEY: 'hunter2' });
    expect(refused).toEqual({
      kind: 'refused',
      message: 'ALERTS_KEY must be 32 bytes as 64 hex digits or as base64 (the value is not shown).',
    });
  });
});
