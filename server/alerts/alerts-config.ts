import * as v from 'valibot';
import { QUIET_HOURS, type QuietHours } from '../../domain/quiet-hours.ts';
import type { Variables } from '../environment/read-environment.ts';
import { defineSettings, secretSetting, setting } from '../environment/schema.ts';
import { httpUrl, listed, oneOf, orNull, requiredText, textOr, wholeNumber } from '../environment/values.ts';
import { type EmailChannel, readChannels, type WebPushChannel, whole } from './channel-settings.ts';
import type { SendingLimits } from './delivery/send-context.ts';
import { parseSecret } from './keys/alert-keys.ts';
import type { NtfySettings } from './providers/ntfy.ts';
import {
  MESSAGE_PROVIDERS,
  type MessageProviderKind,
  type MessageProviderSettings,
} from './providers/providers.ts';
import type { SmtpSettings } from './providers/smtp.ts';
import type { SignUpSettings } from './sign-up/sign-up.ts';

/** The settings of the alerts (docs/configuration.md), parsed once from the environment. */
export interface AlertsConfig extends SignUpSettings {
  /** Null: use the key file in the data folder. */
  secret: Uint8Array | null;
  quietHours: QuietHours;
  sending: SendingLimits;
  /** Days for which an ended watch, its messages and its number are kept. */
  retentionDays: number;
  provider: MessageProviderSettings;
  /** Sends emails to subscribers and notices to the operator. Null: `SMTP_URL` is not set. */
  mailServer: SmtpSettings | null;
  email: EmailChannel | null;
  webPush: WebPushChannel | null;
  ntfy: NtfySettings | null;
  /** Whether the local outbox is served at `/outbox`; never in production. */
  hasOutboxPage: boolean;
  /** This site's URL, for links in messages. Null: messages link to the providers' sites. */
  siteUrl: string | null;
  /** `conversationEndpoint` in the page's configuration. Null: the page offers no alerts. */
  conversationEndpoint: string | null;
  channelId: string;
  /** Who runs the site, and the postal address, for emails. */
  operatorName: string | null;
  operatorAddress: string | null;
}

export type ParsedAlertsConfig =
  | { kind: 'config'; config: AlertsConfig }
  | { kind: 'refused'; message: string };

const seconds = (least: number, most: number, fallback: string) =>
  v.pipe(
    whole(least, most, fallback),
    v.transform((value) => value * 1_000),
  );

const secret = v.pipe(
  v.optional(v.string(), ''),
  v.transform((given) => (given === '' ? undefined : parseSecret(given))),
  v.check((read) => read !== null, '32 bytes as 64 hex digits or as base64'),
  v.transform((read) => read ?? null),
);

const quietHours = v.pipe(
  v.optional(v.string(), ''),
  v.transform((given) => (given === '' ? QUIET_HOURS : readQuietHours(given))),
  v.check(
    (read) => read !== undefined,
    'none, or two times such as 21:00-08:00, the first later than the second',
  ),
  v.transform((read) => read ?? null),
);

/** Parses '21:00-08:00' or 'none'; undefined for anything else. */
function readQuietHours(text: string): QuietHours | undefined {
  if (text === 'none') return null;
  const [, fromHour, fromMinute, hour, minute] =
    /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const until = Number(hour) * 60 + Number(minute);
  return from > until ? { from, until } : undefined;
}

const KINDS = Object.keys(MESSAGE_PROVIDERS) as MessageProviderKind[];

const providerKind = v.optional(v.picklist(KINDS, listed(KINDS)), 'local');

const ALERTS = defineSettings({
  providerKind: setting('ALERT_PROVIDER', providerKind),
  confirmation: setting('ALERT_CONFIRMATION', oneOf('required', 'none')),
  secret: secretSetting('ALERTS_KEY', secret),
  quietHours: setting('ALERT_QUIET_HOURS', quietHours),
  limits: {
    addressPerHour: setting('ALERT_LIMIT_ADDRESS', whole(0, 1_000_000, '20')),
    numberPerDay: setting('ALERT_LIMIT_NUMBER', whole(0, 1_000_000, '10')),
    blockPerHour: setting('ALERT_LIMIT_BLOCK', whole(0, 1_000_000, '200')),
  },
  sending: {
    perSecond: setting('ALERT_RATE', whole(1, 1_000, '80')),
    numberEveryMs: setting('ALERT_NUMBER_SECONDS', seconds(0, 3_600, '6')),
    messagesPerDay: setting('ALERT_DAILY_MESSAGES', whole(0, 100_000_000, '100000')),
    pencePerDay: setting(
      'ALERT_DAILY_POUNDS',
      v.pipe(
        whole(0, 1_000_000, '1000'),
        v.transform((pounds) => pounds * 100),
      ),
    ),
    pencePerMessage: setting('ALERT_MESSAGE_PENCE', whole(0, 1_000, '4')),
    pencePerMarketing: setting('ALERT_MARKETING_PENCE', whole(0, 1_000, '6')),
    timeoutMs: setting('ALERT_TIMEOUT_SECONDS', seconds(1, 60, '8')),
  },
  // At least 2: the daily limit per number is read from the messages of the last day.
  retentionDays: setting('ALERT_RETENTION_DAYS', whole(2, 3_650, '30')),
  channelId: setting('WHATSAPP_CHANNEL_ID', textOr('skylark')),
  elsewhere: setting('CONVERSATION_ENDPOINT', v.optional(httpUrl)),
  publicUrl: setting('PUBLIC_URL', v.optional(httpUrl)),
  port: setting('PORT', v.optional(wholeNumber(0, 65_535), '3000')),
  operatorName: setting('OPERATOR_NAME', orNull(requiredText)),
  operatorAddress: setting('OPERATOR_ADDRESS', orNull(requiredText)),
  mode: setting('NODE_ENV', v.optional(v.string())),
});

export const { variables: ALERT_VARIABLES, secrets: ALERT_SECRETS } = ALERTS;

/** Reads the settings. An empty variable counts as unset. An error names its variable. */
export function parseAlertsConfig(variables: Variables): ParsedAlertsConfig {
  const settings = ALERTS.read(variables);
  if (settings.kind === 'refused') return settings;
  const { providerKind: kind, elsewhere, mode, publicUrl, port, ...own } = settings.value;
  const provider = MESSAGE_PROVIDERS[kind].settings.read(variables);
  if (provider.kind === 'refused') return provider;
  const isOffered = kind !== 'local' || mode !== 'production';
  if (kind !== 'local' && mode === 'production' && publicUrl === undefined)
    return {
      kind: 'refused',
      message:
        'PUBLIC_URL must be the URL of this site: messages contain links to stop alerts and delete data.',
    };
  // The local outbox is only read on this machine, so its links may use localhost.
  const siteUrl = publicUrl ?? (kind === 'local' ? `http://localhost:${port}` : null);
  const channels = readChannels(variables, {
    siteUrl: isOffered ? siteUrl : (publicUrl ?? null),
    isLocal: kind === 'local' && mode !== 'production',
  });
  if (channels.kind === 'refused') return channels;
  return {
    kind: 'config',
    config: {
      ...own,
      provider: provider.value,
      ...channels.value,
      hasOutboxPage: isOffered && kind === 'local',
      isOffered,
      siteUrl,
      conversationEndpoint: elsewhere ?? (isOffered ? '' : null),
    },
  };
}
