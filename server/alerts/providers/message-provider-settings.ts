import * as v from 'valibot';
import type { Read, Variables } from '../../environment/read-environment.ts';
import { defineSettings, type ReadValue, secretSetting, setting } from '../../environment/schema.ts';
import { requiredText, textOr, webAddress } from '../../environment/values.ts';

/** The settings of the configured message provider. */
export type MessageProviderSettings = ReadValue<(typeof SETTINGS)[MessageProviderKind]>;

export type MessageProviderKind = keyof typeof SETTINGS;

/** The provider's name of each template. `proposed` is the name in docs/alerts.md. */
const templates = (takes: (proposed: string) => v.GenericSchema<string | undefined, string>) => ({
  confirm: setting('ALERT_TEMPLATE_CONFIRM', takes('holiday_watch_confirm_v2')),
  welcome: setting('ALERT_TEMPLATE_WELCOME', takes('holiday_watch_welcome_v2')),
  drop: setting('ALERT_TEMPLATE_DROP', takes('holiday_price_drop_v3')),
  reply: setting('ALERT_TEMPLATE_REPLY', takes('holiday_watch_reply')),
});

/** For providers that assign template IDs. */
const templateIds = templates(() => requiredText);

const language = (fallback: string) => setting('ALERT_TEMPLATE_LANGUAGE', textOr(fallback));

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
  local: defineSettings({
    kind: setting('ALERT_PROVIDER', v.optional(v.literal('local'), 'local')),
  }),
  meta: defineSettings({
    kind: setting('ALERT_PROVIDER', v.literal('meta')),
    baseUrl: setting('META_API_URL', v.optional(apiHost, 'https://graph.facebook.com')),
    version: setting(
      'META_API_VERSION',
      v.optional(v.pipe(v.string(), v.regex(/^v\d+\.\d+$/, 'a version such as v24.0')), 'v24.0'),
    ),
    phoneNumberId: setting('META_PHONE_NUMBER_ID', requiredText),
    token: secretSetting('META_TOKEN', requiredText),
    appSecret: secretSetting('META_APP_SECRET', requiredText),
    verifyToken: secretSetting('META_VERIFY_TOKEN', requiredText),
    templates: templates(textOr),
    language: language('en_GB'),
  }),
  twilio: defineSettings({
    kind: setting('ALERT_PROVIDER', v.literal('twilio')),
    baseUrl: setting('TWILIO_API_URL', v.optional(webAddress, 'https://api.twilio.com')),
    accountSid: setting('TWILIO_ACCOUNT_SID', requiredText),
    authToken: secretSetting('TWILIO_AUTH_TOKEN', requiredText),
    from: setting(
      'TWILIO_FROM',
      v.pipe(requiredText, v.regex(/^\+\d{8,15}$/, 'a number such as +447700900000')),
    ),
    templates: templateIds,
    publicUrl,
  }),
  bird: defineSettings({
    kind: setting('ALERT_PROVIDER', v.literal('bird')),
    baseUrl: setting('BIRD_API_URL', v.optional(webAddress, 'https://api.bird.com')),
    accessKey: secretSetting('BIRD_ACCESS_KEY', requiredText),
    workspaceId: setting('BIRD_WORKSPACE_ID', requiredText),
    channelId: setting('BIRD_CHANNEL_ID', requiredText),
    signingKey: secretSetting('BIRD_SIGNING_KEY', requiredText),
    templates: templateIds,
    language: language('en-GB'),
    publicUrl,
  }),
};

const READERS = Object.values(SETTINGS);
export const MESSAGE_PROVIDER_VARIABLES = READERS.flatMap(({ variables }) => variables);
export const MESSAGE_PROVIDER_SECRETS: ReadonlySet<string> = new Set(
  READERS.flatMap(({ secrets }) => [...secrets]),
);

/** Reads the variables of one provider. Those of others are ignored. */
export function readMessageProviderSettings(
  kind: MessageProviderKind,
  variables: Variables,
): Read<MessageProviderSettings> {
  return SETTINGS[kind].read(variables);
}
