import * as v from 'valibot';
import {
  namesIn,
  neededText,
  type Read,
  readBy,
  someText,
  type Variables,
  webAddress,
} from '../../environment/read-environment.ts';
import { setting, settingsSchema } from '../../environment/schema.ts';

/** The settings of the configured message provider. */
export type MessageProviderSettings = v.InferOutput<(typeof SETTINGS)[MessageProviderKind]>;

export type MessageProviderKind = keyof typeof SETTINGS;

/** The provider's name of each template. `proposed` is the name in docs/alerts.md. */
const templates = (takes: (proposed: string) => v.GenericSchema<string | undefined, string>) => ({
  confirm: setting('ALERT_TEMPLATE_CONFIRM', takes('holiday_watch_confirm')),
  welcome: setting('ALERT_TEMPLATE_WELCOME', takes('holiday_watch_welcome')),
  drop: setting('ALERT_TEMPLATE_DROP', takes('holiday_price_drop')),
  reply: setting('ALERT_TEMPLATE_REPLY', takes('holiday_watch_reply')),
});

/** For providers that assign template IDs. */
const templateIds = templates(() => neededText);

const language = (fallback: string) => setting('ALERT_TEMPLATE_LANGUAGE', someText(fallback));

/** The address of this server, which the provider's signatures include. */
const publicUrl = setting('PUBLIC_URL', webAddress);

const apiHost = v.pipe(
  webAddress,
  v.check(
    (value) => !/\/v\d+(\.\d+)?$/.test(value),
    'an http or https address without a version, which META_API_VERSION gives',
  ),
);

const SETTINGS = {
  local: settingsSchema({
    kind: setting('ALERT_PROVIDER', v.optional(v.literal('local'), 'local')),
  }),
  meta: settingsSchema({
    kind: setting('ALERT_PROVIDER', v.literal('meta')),
    baseUrl: setting('META_API_URL', v.optional(apiHost, 'https://graph.facebook.com')),
    version: setting(
      'META_API_VERSION',
      v.optional(v.pipe(v.string(), v.regex(/^v\d+\.\d+$/, 'a version such as v24.0')), 'v24.0'),
    ),
    phoneNumberId: setting('META_PHONE_NUMBER_ID', neededText),
    token: setting('META_TOKEN', neededText),
    appSecret: setting('META_APP_SECRET', neededText),
    verifyToken: setting('META_VERIFY_TOKEN', neededText),
    templates: templates(someText),
    language: language('en_GB'),
  }),
  twilio: settingsSchema({
    kind: setting('ALERT_PROVIDER', v.literal('twilio')),
    baseUrl: setting('TWILIO_API_URL', v.optional(webAddress, 'https://api.twilio.com')),
    accountSid: setting('TWILIO_ACCOUNT_SID', neededText),
    authToken: setting('TWILIO_AUTH_TOKEN', neededText),
    from: setting(
      'TWILIO_FROM',
      v.pipe(neededText, v.regex(/^\+\d{8,15}$/, 'a number such as +447700900000')),
    ),
    templates: templateIds,
    publicUrl,
  }),
  bird: settingsSchema({
    kind: setting('ALERT_PROVIDER', v.literal('bird')),
    baseUrl: setting('BIRD_API_URL', v.optional(webAddress, 'https://api.bird.com')),
    accessKey: setting('BIRD_ACCESS_KEY', neededText),
    workspaceId: setting('BIRD_WORKSPACE_ID', neededText),
    channelId: setting('BIRD_CHANNEL_ID', neededText),
    signingKey: setting('BIRD_SIGNING_KEY', neededText),
    templates: templateIds,
    language: language('en-GB'),
    publicUrl,
  }),
};

export const MESSAGE_PROVIDER_VARIABLES: readonly string[] = Object.values(SETTINGS).flatMap((schema) =>
  namesIn(schema),
);

/** Reads the variables of one provider. Those of others are ignored. */
export function readMessageProviderSettings(
  kind: MessageProviderKind,
  variables: Variables,
): Read<MessageProviderSettings> {
  return readBy<v.GenericSchema<unknown, MessageProviderSettings>>(SETTINGS[kind], variables);
}
