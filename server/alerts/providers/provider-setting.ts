import * as v from 'valibot';
import type { Read, Variables } from '../../environment/read-environment.ts';
import { defineSettings, type ReadValue, secretSetting, setting } from '../../environment/schema.ts';
import { requiredText, textOr, webAddress } from '../../environment/values.ts';

/** The settings of the message provider that is chosen, by its `kind`. */
export type ProviderSetting = ReadValue<(typeof SETTINGS)[ProviderKind]>;

export type ProviderKind = keyof typeof SETTINGS;

/** The provider's name of each message template, `proposed` being ours. */
const templates = (takes: (proposed: string) => v.GenericSchema<string | undefined, string>) => ({
  confirm: setting('ALERT_TEMPLATE_CONFIRM', takes('holiday_watch_confirm')),
  welcome: setting('ALERT_TEMPLATE_WELCOME', takes('holiday_watch_welcome')),
  drop: setting('ALERT_TEMPLATE_DROP', takes('holiday_price_drop')),
  reply: setting('ALERT_TEMPLATE_REPLY', takes('holiday_watch_reply')),
});

/** Where a template has an id of the provider's choosing, there is none to propose. */
const templateIds = templates(() => requiredText);

const language = (fallback: string) => setting('ALERT_TEMPLATE_LANGUAGE', textOr(fallback));

/** Where the provider finds this server; its signatures are over this address. */
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
export const PROVIDER_VARIABLES = READERS.flatMap(({ variables }) => variables);
export const PROVIDER_SECRETS: ReadonlySet<string> = new Set(READERS.flatMap(({ secrets }) => [...secrets]));

/** The settings of the chosen provider: none of the others' variables is read. */
export function readProviderSetting(kind: ProviderKind, variables: Variables): Read<ProviderSetting> {
  return SETTINGS[kind].read(variables);
}
