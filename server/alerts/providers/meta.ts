import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { defineSettings, type ReadValue, secretSetting, setting } from '../../environment/schema.ts';
import { httpUrl, requiredText, textOr } from '../../environment/values.ts';
import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import { type ErrorAction, errorTable, httpAction } from './error-action.ts';
import { callProvider, outcomeOf } from './http-call.ts';
import type { OutgoingMessage, ProviderDefinition } from './message-provider.ts';
import { readMetaUpdate } from './meta-webhook.ts';
import { readableItems, readJson, textOrNull } from './readable-items.ts';
import { templateSettings } from './template-settings.ts';

const apiHost = v.pipe(
  httpUrl,
  v.check(
    (value) => !/\/v\d+(\.\d+)?$/.test(value),
    'an http or https URL without a version, which META_API_VERSION gives',
  ),
);

const settings = defineSettings({
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
  templates: templateSettings(textOr),
  language: setting('ALERT_TEMPLATE_LANGUAGE', textOr('en_GB')),
});

export type MetaSettings = ReadValue<typeof settings>;

/** The WhatsApp Cloud API. Each status repeats `biz_opaque_callback_data`, the attempt's token. */
export const meta: ProviderDefinition<MetaSettings> = {
  settings,
  carrier:
    'The messages travel through WhatsApp, a service of Meta, which has to see the number that they go to.',
  webhook: {
    signatureHeader: 'x-hub-signature-256',
    // Meta's documentation: up to a thousand updates, in 3 MB.
    maxBytes: 3 * 1024 * 1024,
    signatureOf: ({ appSecret }, { body }) =>
      `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
    // See 'Create a webhook endpoint' in Meta's documentation.
    challenge({ verifyToken }, query) {
      const isOurs =
        query['hub.mode'] === 'subscribe' &&
        constantTimeEqual(String(query['hub.verify_token']), verifyToken);
      const challenge = query['hub.challenge'];
      return isOurs && typeof challenge === 'string' ? challenge : null;
    },
    read: (own, { body }) => readMetaUpdate(readJson(Buffer.from(body).toString('utf8')), own),
    answer: { type: 'application/json; charset=utf-8', body: '{"status":"ok"}' },
  },
  open(own, timeoutMs) {
    const url = `${own.baseUrl}/${own.version}/${own.phoneNumberId}/messages`;
    const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
    return {
      name: 'meta',
      channel: 'whatsapp',
      async send(message, signal) {
        const body = JSON.stringify(requestOf(message, own));
        const result = await callProvider(url, { headers, body }, signal, timeoutMs);
        return outcomeOf(result, { accepted: readAccepted, code: readCode });
      },
      errorAction: metaErrorAction,
    };
  },
};

const CODES = errorTable({
  // Not on WhatsApp, an old app, terms not accepted, our own number, or excluded by an experiment of Meta's; or
  // the reply comes more than a day after the person's last message.
  final: [131026, 131021, 130472, 131047],
  // Delayed, because the person has received too many messages.
  later: [131049],
  // The person has stopped marketing messages.
  stop: [131050],
  // The limits of the account and application; then the limit of one number.
  'slow down': [130429, 80007, 4],
  'slow down to this number': [131056],
  // Too many earlier messages were blocked or reported.
  pause: [131048],
  // Token, permission, account.
  'open circuit': [0, 3, 10, 33, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 131057, 133010],
  // Temporary errors of the service.
  soon: [1, 2, 131000, 131016, 133004],
  // Something is wrong with this message.
  'final, raise': [100, 131008, 131009, 131051, 132005, 132018],
  // Template: wrong parameters, missing, against the policy, paused or disabled.
  'hold template': [132000, 132001, 132007, 132012, 132015, 132016],
});

/** The action for a code in Meta's documentation. Codes 200 to 299 are missing permissions of the token. */
export function metaErrorAction(code: string): ErrorAction {
  return /^2\d\d$/.test(code) ? 'open circuit' : (CODES(code) ?? httpAction(code));
}

function requestOf({ token, to, body }: OutgoingMessage, { templates, language }: MetaSettings): object {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    biz_opaque_callback_data: token,
  };
  if (body.template === 'reply') return { ...message, ...textOf(body) };
  const parameters = body.parameters.map((text) => ({ type: 'text', text }));
  const buttons = body.buttons.map(({ payload }, index) => ({
    type: 'button',
    sub_type: 'quick_reply',
    index: String(index),
    parameters: [{ type: 'payload', payload }],
  }));
  return {
    ...message,
    type: 'template',
    template: {
      name: templates[body.template],
      language: { code: language },
      components: [{ type: 'body', parameters }, ...buttons],
    },
  };
}

/** Free text, with its buttons if it has any. */
function textOf({ text, buttons }: OutgoingMessage['body']): object {
  if (buttons.length === 0) return { type: 'text', text: { preview_url: false, body: text } };
  const replies = buttons.map(({ title, payload }) => ({ type: 'reply', reply: { id: payload, title } }));
  return {
    type: 'interactive',
    interactive: { type: 'button', body: { text }, action: { buttons: replies } },
  };
}

const accepted = v.object({
  messages: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()),
  contacts: readableItems(v.object({ user_id: textOrNull })),
});
const refused = v.object({ error: v.object({ code: v.number() }) });

function readAccepted(body: unknown) {
  const answer = v.safeParse(accepted, body);
  if (!answer.success) return null;
  const [{ id }] = answer.output.messages;
  return { messageId: id, userId: answer.output.contacts[0]?.user_id ?? null };
}

function readCode(body: unknown): string | null {
  const answer = v.safeParse(refused, body);
  return answer.success ? String(answer.output.error.code) : null;
}
