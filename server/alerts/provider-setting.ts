import * as v from 'valibot';
import { neededText, type Read, readBy, someText, type Variables, webAddress } from './read-variables.ts';

/** The provider's name of each message template. */
export type TemplateNames = Readonly<Record<'confirm' | 'welcome' | 'drop' | 'reply', string>>;

export type ProviderSetting =
  | { kind: 'local' }
  | {
      kind: 'meta';
      baseUrl: string;
      phoneNumberId: string;
      token: string;
      appSecret: string;
      verifyToken: string;
      language: string;
      templates: TemplateNames;
    }
  | {
      kind: 'twilio';
      baseUrl: string;
      accountSid: string;
      authToken: string;
      from: string;
      publicUrl: string;
      templates: TemplateNames;
    }
  | {
      kind: 'bird';
      baseUrl: string;
      accessKey: string;
      workspaceId: string;
      channelId: string;
      signingKey: string;
      publicUrl: string;
      language: string;
      templates: TemplateNames;
    };

const templates = v.object({
  ALERT_TEMPLATE_CONFIRM: someText('holiday_watch_confirm'),
  ALERT_TEMPLATE_WELCOME: someText('holiday_watch_welcome'),
  ALERT_TEMPLATE_DROP: someText('holiday_price_drop'),
  ALERT_TEMPLATE_REPLY: someText('holiday_watch_reply'),
  ALERT_TEMPLATE_LANGUAGE: someText('en_GB'),
});

const ids = v.object({
  ALERT_TEMPLATE_CONFIRM: neededText,
  ALERT_TEMPLATE_WELCOME: neededText,
  ALERT_TEMPLATE_DROP: neededText,
  ALERT_TEMPLATE_REPLY: neededText,
  ALERT_TEMPLATE_LANGUAGE: someText('en-GB'),
});

const meta = v.object({
  ...templates.entries,
  META_API_URL: v.optional(webAddress, 'https://graph.facebook.com/v24.0'),
  META_PHONE_NUMBER_ID: neededText,
  META_TOKEN: neededText,
  META_APP_SECRET: neededText,
  META_VERIFY_TOKEN: neededText,
});

const twilio = v.object({
  ...ids.entries,
  TWILIO_API_URL: v.optional(webAddress, 'https://api.twilio.com'),
  TWILIO_ACCOUNT_SID: neededText,
  TWILIO_AUTH_TOKEN: neededText,
  TWILIO_FROM: v.pipe(neededText, v.regex(/^\+\d{8,15}$/, 'a number such as +447700900000')),
  PUBLIC_URL: webAddress,
});

const bird = v.object({
  ...ids.entries,
  BIRD_API_URL: v.optional(webAddress, 'https://api.bird.com'),
  BIRD_ACCESS_KEY: neededText,
  BIRD_WORKSPACE_ID: neededText,
  BIRD_CHANNEL_ID: neededText,
  BIRD_SIGNING_KEY: neededText,
  PUBLIC_URL: webAddress,
});

/** The settings of the chosen provider: none of the others' variables is looked at. */
export function readProviderSetting(
  kind: ProviderSetting['kind'],
  variables: Variables,
): Read<ProviderSetting> {
  switch (kind) {
    case 'local':
      return { kind: 'read', value: { kind } };
    case 'meta': {
      const read = readBy(meta, variables);
      if (read.kind === 'refused') return read;
      const { value } = read;
      return {
        kind: 'read',
        value: {
          kind,
          baseUrl: value.META_API_URL,
          phoneNumberId: value.META_PHONE_NUMBER_ID,
          token: value.META_TOKEN,
          appSecret: value.META_APP_SECRET,
          verifyToken: value.META_VERIFY_TOKEN,
          language: value.ALERT_TEMPLATE_LANGUAGE,
          templates: templateNames(value),
        },
      };
    }
    case 'twilio': {
      const read = readBy(twilio, variables);
      if (read.kind === 'refused') return read;
      const { value } = read;
      return {
        kind: 'read',
        value: {
          kind,
          baseUrl: value.TWILIO_API_URL,
          accountSid: value.TWILIO_ACCOUNT_SID,
          authToken: value.TWILIO_AUTH_TOKEN,
          from: value.TWILIO_FROM,
          publicUrl: value.PUBLIC_URL,
          templates: templateNames(value),
        },
      };
    }
    case 'bird': {
      const read = readBy(bird, variables);
      if (read.kind === 'refused') return read;
      const { value } = read;
      return {
        kind: 'read',
        value: {
          kind,
          baseUrl: value.BIRD_API_URL,
          accessKey: value.BIRD_ACCESS_KEY,
          workspaceId: value.BIRD_WORKSPACE_ID,
          channelId: value.BIRD_CHANNEL_ID,
          signingKey: value.BIRD_SIGNING_KEY,
          publicUrl: value.PUBLIC_URL,
          language: value.ALERT_TEMPLATE_LANGUAGE,
          templates: templateNames(value),
        },
      };
    }
  }
}

function templateNames(value: v.InferOutput<typeof ids>): TemplateNames {
  return {
    confirm: value.ALERT_TEMPLATE_CONFIRM,
    welcome: value.ALERT_TEMPLATE_WELCOME,
    drop: value.ALERT_TEMPLATE_DROP,
    reply: value.ALERT_TEMPLATE_REPLY,
  };
}
