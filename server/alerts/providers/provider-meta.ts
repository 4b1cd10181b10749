import * as v from 'valibot';
import type { MessageProvider, OutgoingMessage } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { readMetaUpdate } from './meta-webhook.ts';
import { outcomeOf } from './provider-call.ts';
import type { ProviderCaller } from './provider-caller.ts';
import { readableItems, readJson, textOrNull } from './readable-items.ts';
import { templateNamed } from './template-names.ts';
import { isSignedWebhook } from './webhook-signature.ts';

type Settings = Extract<MessageProviderSettings, { kind: 'meta' }>;

/** The WhatsApp Cloud API. `biz_opaque_callback_data` carries the attempt's token, also in every status. */
export function metaProvider(settings: Settings, caller: ProviderCaller): MessageProvider {
  const url = `${settings.baseUrl}/${settings.version}/${settings.phoneNumberId}/messages`;
  const headers = { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' };
  return {
    name: 'meta',
    channel: 'whatsapp',
    async send(message, signal) {
      const body = JSON.stringify(requestOf(message, settings));
      const result = await caller.call(url, { headers, body }, signal);
      return outcomeOf(result, { accepted: readAccepted, code: readCode });
    },
    lookUp: null,
    preview: (message) => JSON.stringify(requestOf(message, settings), null, 2),
    readWebhook(request) {
      if (!isSignedWebhook(settings, request)) return { kind: 'forbidden' };
      const events = readMetaUpdate(readJson(request.body), (name) =>
        templateNamed(settings.templates, name),
      );
      return events === null ? { kind: 'unreadable' } : { kind: 'events', events };
    },
    close: () => caller.close(),
  };
}

function requestOf({ token, to, form, body }: OutgoingMessage, { templates, language }: Settings): object {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    biz_opaque_callback_data: token,
  };
  if (form === 'text') return { ...message, ...textOf(body) };
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
