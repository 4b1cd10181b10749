import * as v from 'valibot';
import {
  namesIn,
  neededText,
  type Read,
  readBy,
  someText,
  type Variables,
  webAddress,
} from '../read-variables.ts';

/** The settings of the message provider that is chosen, by its `kind`. */
export type ProviderSetting = {
  [K in keyof typeof SETTINGS]: v.InferOutput<(typeof SETTINGS)[K]>;
}[ProviderKind];

export type ProviderKind = keyof typeof SETTINGS;

/** The provider's name of each message template. */
export type TemplateNames = Readonly<Record<'confirm' | 'welcome' | 'drop' | 'reply', string>>;

/** Where a template has a name of our choosing, ours is proposed; where the provider gives it an id, it is needed. */
const chosenNames = {
  ALERT_TEMPLATE_CONFIRM: someText('holiday_watch_confirm'),
  ALERT_TEMPLATE_WELCOME: someText('holiday_watch_welcome'),
  ALERT_TEMPLATE_DROP: someText('holiday_price_drop'),
  ALERT_TEMPLATE_REPLY: someText('holiday_watch_reply'),
};
const givenIds = {
  ALERT_TEMPLATE_CONFIRM: neededText,
  ALERT_TEMPLATE_WELCOME: neededText,
  ALERT_TEMPLATE_DROP: neededText,
  ALERT_TEMPLATE_REPLY: neededText,
};

const API_HOST = v.pipe(
  webAddress,
  v.check(
    (value) => !/\/v\d+(\.\d+)?$/.test(value),
    'an http or https address without a version, which META_API_VERSION gives',
  ),
);

const SETTINGS = {
  local: v.pipe(
    v.object({}),
    v.transform(() => ({ kind: 'local' as const })),
  ),
  meta: v.pipe(
    v.object({
      ...chosenNames,
      ALERT_TEMPLATE_LANGUAGE: someText('en_GB'),
      META_API_URL: v.optional(API_HOST, 'https://graph.facebook.com'),
      META_API_VERSION: v.optional(
        v.pipe(v.string(), v.regex(/^v\d+\.\d+$/, 'a version such as v24.0')),
        'v24.0',
      ),
      META_PHONE_NUMBER_ID: neededText,
      META_TOKEN: neededText,
      META_APP_SECRET: neededText,
      META_VERIFY_TOKEN: neededText,
    }),
    v.transform((value) => ({
      kind: 'meta' as const,
      baseUrl: `${value.META_API_URL}/${value.META_API_VERSION}`,
      phoneNumberId: value.META_PHONE_NUMBER_ID,
      token: value.META_TOKEN,
      appSecret: value.META_APP_SECRET,
      verifyToken: value.META_VERIFY_TOKEN,
      language: value.ALERT_TEMPLATE_LANGUAGE,
      templates: templateNames(value),
    })),
  ),
  twilio: v.pipe(
    v.object({
      ...givenIds,
      TWILIO_API_URL: v.optional(webAddress, 'https://api.twilio.com'),
      TWILIO_ACCOUNT_SID: neededText,
      TWILIO_AUTH_TOKEN: neededText,
      TWILIO_FROM: v.pipe(neededText, v.regex(/^\+\d{8,15}$/, 'a number such as +447700900000')),
      PUBLIC_URL: webAddress,
    }),
    v.transform((value) => ({
      kind: 'twilio' as const,
      baseUrl: value.TWILIO_API_URL,
      accountSid: value.TWILIO_ACCOUNT_SID,
      authToken: value.TWILIO_AUTH_TOKEN,
      from: value.TWILIO_FROM,
      publicUrl: value.PUBLIC_URL,
      templates: templateNames(value),
    })),
  ),
  bird: v.pipe(
    v.object({
      ...givenIds,
      ALERT_TEMPLATE_LANGUAGE: someText('en-GB'),
      BIRD_API_URL: v.optional(webAddress, 'https://api.bird.com'),
      BIRD_ACCESS_KEY: neededText,
      BIRD_WORKSPACE_ID: neededText,
      BIRD_CHANNEL_ID: neededText,
      BIRD_SIGNING_KEY: neededText,
      PUBLIC_URL: webAddress,
    }),
    v.transform((value) => ({
      kind: 'bird' as const,
      baseUrl: value.BIRD_API_URL,
      accessKey: value.BIRD_ACCESS_KEY,
      workspaceId: value.BIRD_WORKSPACE_ID,
      channelId: value.BIRD_CHANNEL_ID,
      signingKey: value.BIRD_SIGNING_KEY,
      publicUrl: value.PUBLIC_URL,
      language: value.ALERT_TEMPLATE_LANGUAGE,
      templates: templateNames(value),
    })),
  ),
};

export const PROVIDER_VARIABLES: readonly string[] = Object.values(SETTINGS).flatMap((schema) =>
  namesIn(schema),
);

/** The settings of the chosen provider: none of the others' variables is looked at. */
export function readProviderSetting(kind: ProviderKind, variables: Variables): Read<ProviderSetting> {
  return readBy<v.GenericSchema<unknown, ProviderSetting>>(SETTINGS[kind], variables);
}

function templateNames(value: Readonly<Record<keyof typeof givenIds, string>>): TemplateNames {
  return {
    confirm: value.ALERT_TEMPLATE_CONFIRM,
    welcome: value.ALERT_TEMPLATE_WELCOME,
    drop: value.ALERT_TEMPLATE_DROP,
    reply: value.ALERT_TEMPLATE_REPLY,
  };
}
