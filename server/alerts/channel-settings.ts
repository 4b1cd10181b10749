import * as v from 'valibot';
import { parseEmailAddress } from '../../domain/email-address.ts';
import type { Read, Variables } from '../environment/read-environment.ts';
import { defineSettings, secretSetting, setting } from '../environment/schema.ts';
import { httpUrl, listOf, oneOf, orNull, requiredText, wholeNumber } from '../environment/values.ts';
import { parseSecret } from './keys/alert-keys.ts';
import type { NtfySettings } from './providers/ntfy.ts';
import type { SmtpSettings } from './providers/smtp.ts';

/** The settings of alerts by email. `local`: emails appear at `/outbox` and are not sent. */
export type EmailChannel = ({ kind: 'local' } | ({ kind: 'smtp' } & SmtpSettings)) & {
  perSecond: number;
};

export interface WebPushChannel {
  /** Null: use the key file in the data folder. */
  key: Uint8Array | null;
  /** Where push services can report problems: a mailto: or https: URL. */
  subject: string;
  /** Host names of accepted push endpoints; `*.` matches any subdomain. */
  services: readonly string[];
}

interface Channels {
  /** For every email that Skylark sends; null without `SMTP_URL`. */
  mailServer: SmtpSettings | null;
  email: EmailChannel | null;
  webPush: WebPushChannel | null;
  ntfy: NtfySettings | null;
}

/** The default: push services of Chrome and Edge, Firefox, Windows and Safari. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
];

const SMTP_EXPECTED = 'an address such as smtps://user:password@mail.example:465 or smtp://mail.example:587';
const MAIL_FROM_EXPECTED = 'an email address, with or without a name: Skylark <alerts@skylark.example>';
const SERVICE = /^(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*(:\d{1,5})?$/;

export const whole = (least: number, most: number, fallback: string) =>
  v.optional(wholeNumber(least, most), fallback);

const CHANNELS = defineSettings({
  emailAlerts: setting('ALERT_EMAIL', oneOf('off', 'on')),
  smtpUrl: secretSetting('SMTP_URL', v.optional(v.pipe(v.string(), v.check(isSmtpUrl, SMTP_EXPECTED)))),
  from: setting('MAIL_FROM', v.optional(v.pipe(v.string(), v.trim(), v.check(isSender, MAIL_FROM_EXPECTED)))),
  mailPerSecond: setting('MAIL_RATE', whole(1, 1_000, '10')),
  mailSeconds: setting('SMTP_TIMEOUT_SECONDS', whole(1, 300, '60')),
  vapidKey: secretSetting(
    'VAPID_KEY',
    v.optional(
      v.pipe(
        v.string(),
        v.transform(parseSecret),
        v.check((read) => read !== null, 'what `npm run alerts -- vapid-key` prints'),
      ),
    ),
  ),
  vapidSubject: setting(
    'VAPID_SUBJECT',
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'a mailto: or an https: address'),
      ),
    ),
  ),
  ntfyUrl: setting('NTFY_URL', v.optional(httpUrl)),
  ntfyToken: secretSetting('NTFY_TOKEN', orNull(requiredText)),
  services: setting(
    'PUSH_SERVICES',
    listOf((text) => SERVICE.test(text), 'host names such as push.example, *.push.example or 127.0.0.1:8080'),
  ),
});

export const { variables: CHANNEL_VARIABLES, secrets: CHANNEL_SECRETS } = CHANNELS;

/** Reads the settings of email, web push and ntfy. With `isLocal`, emails go to the local outbox. */
export function readChannels(
  variables: Variables,
  { siteUrl, isLocal }: { siteUrl: string | null; isLocal: boolean },
): Read<Channels> {
  const read = CHANNELS.read(variables);
  if (read.kind === 'refused') return read;
  const {
    emailAlerts,
    smtpUrl,
    from,
    mailPerSecond,
    mailSeconds,
    vapidKey,
    vapidSubject,
    services,
    ntfyUrl,
    ntfyToken,
  } = read.value;
  if (smtpUrl !== undefined && from === undefined)
    return { kind: 'refused', message: `MAIL_FROM must be ${MAIL_FROM_EXPECTED}: SMTP_URL is set.` };
  const mailServer =
    smtpUrl === undefined || from === undefined
      ? null
      : { url: smtpUrl, from, timeoutMs: mailSeconds * 1_000 };
  const isSmtp = emailAlerts === 'on';
  if (isSmtp && mailServer === null)
    return { kind: 'refused', message: 'SMTP_URL must be set: ALERT_EMAIL is on.' };
  if (isSmtp && siteUrl === null)
    return {
      kind: 'refused',
      message: 'PUBLIC_URL must be the URL of this site: emails contain links to confirm and to stop alerts.',
    };
  const smtp =
    isSmtp && mailServer !== null
      ? ({ kind: 'smtp', ...mailServer, perSecond: mailPerSecond } as const)
      : null;
  const local = isLocal ? ({ kind: 'local', perSecond: mailPerSecond } as const) : null;
  const subject =
    vapidSubject ?? subjectFrom(from, siteUrl) ?? (isLocal ? 'mailto:alerts@skylark.invalid' : null);
  const webPush =
    siteUrl === null || subject === null
      ? null
      : { key: vapidKey ?? null, subject, services: [...PUSH_SERVICES, ...services] };
  const ntfy = siteUrl === null || ntfyUrl === undefined ? null : { url: ntfyUrl, token: ntfyToken };
  return { kind: 'read', value: { mailServer, email: smtp ?? local, webPush, ntfy } };
}

function subjectFrom(from: string | undefined, siteUrl: string | null): string | null {
  if (from !== undefined) return `mailto:${addressIn(from)}`;
  return siteUrl?.startsWith('https:') ? siteUrl : null;
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

function isSender(text: string): boolean {
  return !/[\r\n]/.test(text) && parseEmailAddress(addressIn(text)).kind === 'valid';
}

function addressIn(from: string): string {
  return /<([^<>]*)>$/.exec(from)?.[1] ?? from;
}
