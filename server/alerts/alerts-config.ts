import * as v from 'valibot';
import { QUIET_HOURS, type QuietHours } from '../../domain/quiet-hours.ts';
import { namesIn, readBy, someText, type Variables, webAddress } from '../read-variables.ts';
import { parseSecret } from './alert-keys.ts';
import { type ProviderSetting, readProviderSetting } from './provider-setting.ts';

/** The settings of the alerts: what `docs/configuration.md` lists, parsed once from the environment. */
export interface AlertsConfig {
  /** Whether a watch starts when its number answers YES, or at once (ruling 13). */
  confirmation: 'required' | 'none';
  /** Null: a key made in the data folder. */
  secret: Uint8Array | null;
  quietHours: QuietHours;
  limits: SignUpLimits;
  sending: SendingLimits;
  /** Days that an ended watch, its messages and its number are kept. */
  retentionDays: number;
  provider: ProviderSetting;
  /** Whether `/outbox` is there: the local outbox's page, never in production. */
  hasOutboxPage: boolean;
  /** Whether sign-ups are taken: in production the local outbox would promise messages that nobody gets. */
  isOffered: boolean;
  /** The page's `conversationEndpoint` and `whatsappChannelId`; null: the page offers no alerts. */
  conversationEndpoint: string | null;
  channelId: string;
}

/** Sign-ups at most; 0 is no limit. */
export interface SignUpLimits {
  addressPerHour: number;
  numberPerDay: number;
  /** A block is a thousand numbers that differ in their last three digits. */
  blockPerHour: number;
}

export interface SendingLimits {
  perSecond: number;
  /** Milliseconds between two messages to one number. */
  numberEveryMs: number;
  messagesPerDay: number;
  /** What a day may cost, and what a message does. */
  pencePerDay: number;
  pencePerMessage: number;
  /** A call that has not answered by then is given up; what came of it stays unknown. */
  timeoutMs: number;
}

export type ParsedAlertsConfig =
  | { kind: 'config'; config: AlertsConfig }
  | { kind: 'refused'; message: string };

const whole = (most: number, fallback: string) => {
  const takes = `a whole number from 0 to ${most}`;
  return v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,9}$/, takes), v.transform(Number), v.maxValue(most, takes)),
    fallback,
  );
};
const QUIET = 'none, or two times such as 21:00-08:00, the first the later';
const quietHours = v.optional(
  v.pipe(
    v.string(),
    v.transform((value): QuietHours | undefined => {
      if (value === 'none') return null;
      const [, fromHour, fromMinute, hour, minute] =
        /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
      const from = Number(fromHour) * 60 + Number(fromMinute);
      const until = Number(hour) * 60 + Number(minute);
      return from > until ? { from, until } : undefined;
    }),
    v.check((value) => value !== undefined, QUIET),
  ),
);

const common = v.object({
  ALERT_PROVIDER: v.optional(
    v.picklist(['local', 'meta', 'twilio', 'bird'], 'local, meta, twilio or bird'),
    'local',
  ),
  ALERT_CONFIRMATION: v.optional(v.picklist(['required', 'none'], 'required or none'), 'required'),
  ALERTS_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform(parseSecret),
      v.check((secret) => secret !== null, '32 bytes as 64 hex digits or as base64'),
    ),
  ),
  ALERT_QUIET_HOURS: quietHours,
  ALERT_LIMIT_ADDRESS: whole(1_000_000, '20'),
  ALERT_LIMIT_NUMBER: whole(1_000_000, '10'),
  ALERT_LIMIT_BLOCK: whole(1_000_000, '200'),
  ALERT_RATE: v.pipe(whole(1_000, '80'), v.minValue(1, 'a whole number from 1 to 1000')),
  ALERT_NUMBER_SECONDS: whole(3_600, '6'),
  ALERT_DAILY_MESSAGES: whole(100_000_000, '100000'),
  ALERT_DAILY_POUNDS: whole(1_000_000, '1000'),
  ALERT_MESSAGE_PENCE: whole(1_000, '4'),
  ALERT_TIMEOUT_SECONDS: v.pipe(whole(60, '8'), v.minValue(1, 'a whole number from 1 to 60')),
  ALERT_RETENTION_DAYS: whole(3_650, '30'),
  WHATSAPP_CHANNEL_ID: someText('skylark'),
  CONVERSATION_ENDPOINT: v.optional(v.union([v.literal(''), webAddress], 'an http or https address'), ''),
  NODE_ENV: v.optional(v.string()),
});

export const ALERT_VARIABLES: readonly string[] = namesIn(common);

/** Reads the settings; an empty variable counts as none. A wrong or missing one is refused by name. */
export function parseAlertsConfig(variables: Variables): ParsedAlertsConfig {
  const settings = readBy(common, variables);
  if (settings.kind === 'refused') return settings;
  const provider = readProviderSetting(settings.value.ALERT_PROVIDER, variables);
  if (provider.kind === 'refused') return provider;
  const { value } = settings;
  const isOffered = provider.value.kind !== 'local' || value.NODE_ENV !== 'production';
  return {
    kind: 'config',
    config: {
      confirmation: value.ALERT_CONFIRMATION,
      secret: value.ALERTS_KEY ?? null,
      quietHours: value.ALERT_QUIET_HOURS === undefined ? QUIET_HOURS : value.ALERT_QUIET_HOURS,
      limits: {
        addressPerHour: value.ALERT_LIMIT_ADDRESS,
        numberPerDay: value.ALERT_LIMIT_NUMBER,
        blockPerHour: value.ALERT_LIMIT_BLOCK,
      },
      sending: {
        perSecond: value.ALERT_RATE,
        numberEveryMs: value.ALERT_NUMBER_SECONDS * 1_000,
        messagesPerDay: value.ALERT_DAILY_MESSAGES,
        pencePerDay: value.ALERT_DAILY_POUNDS * 100,
        pencePerMessage: value.ALERT_MESSAGE_PENCE,
        timeoutMs: value.ALERT_TIMEOUT_SECONDS * 1_000,
      },
      retentionDays: value.ALERT_RETENTION_DAYS,
      provider: provider.value,
      hasOutboxPage: isOffered && provider.value.kind === 'local',
      isOffered,
      conversationEndpoint: value.CONVERSATION_ENDPOINT || (isOffered ? '' : null),
      channelId: value.WHATSAPP_CHANNEL_ID,
    },
  };
}
