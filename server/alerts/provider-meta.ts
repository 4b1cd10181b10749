import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import type { MessageProvider, OutgoingMessage, ProviderEvent } from './message-provider.ts';
import { callProvider, outcomeOf } from './provider-call.ts';
import type { ProviderSetting } from './provider-setting.ts';
import { isSameSecret } from './same-secret.ts';

type Setting = Extract<ProviderSetting, { kind: 'meta' }>;

/** The WhatsApp Cloud API. `biz_opaque_callback_data` carries the attempt, and every status brings it back. */
export function metaProvider(setting: Setting, timeoutMs: number): MessageProvider {
  const url = `${setting.baseUrl}/${setting.phoneNumberId}/messages`;
  const headers = { authorization: `Bearer ${setting.token}`, 'content-type': 'application/json' };
  return {
    name: 'meta',
    async send(message, signal) {
      const body = JSON.stringify(requestOf(message, setting));
      const result = await callProvider(url, { headers, body }, signal, timeoutMs);
      return outcomeOf(result, { accepted: readAccepted, code: readCode });
    },
    readWebhook({ headers, body }) {
      const expected = `sha256=${createHmac('sha256', setting.appSecret).update(body).digest('hex')}`;
      if (!isSameSecret(String(headers['x-hub-signature-256'] ?? ''), expected)) return { kind: 'forbidden' };
      const update = v.parse(webhook, JSON.parse(Buffer.from(body).toString('utf8')));
      const values = update.entry.flatMap(({ changes }) => changes.map(({ value }) => value));
      return { kind: 'events', events: values.flatMap(eventsOf) };
    },
    answerChallenge(query) {
      const isOurs =
        query['hub.mode'] === 'subscribe' &&
        isSameSecret(String(query['hub.verify_token']), setting.verifyToken);
      const challenge = query['hub.challenge'];
      return isOurs && typeof challenge === 'string' ? challenge : null;
    },
  };
}

function requestOf({ token, number, form, body }: OutgoingMessage, { templates, language }: Setting): object {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: number,
    biz_opaque_callback_data: token,
  };
  if (form === 'text') return { ...message, type: 'text', text: { preview_url: false, body: body.text } };
  const parameters = body.parameters.map((text) => ({ type: 'text', text }));
  return {
    ...message,
    type: 'template',
    template: {
      name: templates[body.template],
      language: { code: language },
      components: [{ type: 'body', parameters }],
    },
  };
}

const accepted = v.object({
  messages: v.tupleWithRest([v.object({ id: v.string() })], v.unknown()),
  contacts: v.fallback(v.array(v.object({ user_id: v.optional(v.string()) })), []),
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

const text = v.fallback(v.nullable(v.string()), null);
const many = <S extends v.GenericSchema>(item: S) => v.optional(v.fallback(v.array(item), []), []);
const contact = v.object({ wa_id: text, user_id: text });

const value = v.object({
  contacts: many(contact),
  messages: many(
    v.object({
      id: v.string(),
      from: text,
      from_user_id: text,
      type: text,
      text: v.fallback(v.nullable(v.object({ body: v.string() })), null),
      button: v.fallback(v.nullable(v.object({ text: v.string() })), null),
      interactive: v.fallback(v.nullable(v.object({ button_reply: v.object({ title: v.string() }) })), null),
    }),
  ),
  statuses: many(
    v.object({
      id: v.string(),
      status: v.string(),
      recipient_id: text,
      recipient_user_id: text,
      biz_opaque_callback_data: text,
      errors: many(v.object({ code: v.number() })),
    }),
  ),
  user_preferences: many(
    v.object({
      wa_id: text,
      user_id: text,
      category: text,
      value: text,
      timestamp: v.fallback(v.nullable(v.union([v.number(), v.string()])), null),
    }),
  ),
});

const webhook = v.object({
  entry: many(v.object({ changes: many(v.object({ value })) })),
});

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;

function eventsOf({
  contacts,
  messages,
  statuses,
  user_preferences,
}: v.InferOutput<typeof value>): ProviderEvent[] {
  const [only] = contacts;
  const contactUser = contacts.length === 1 ? (only?.user_id ?? null) : null;
  const contactNumber = contacts.length === 1 ? (only?.wa_id ?? null) : null;
  return [
    ...messages.map(
      (message): ProviderEvent => ({
        kind: 'message',
        id: message.id,
        sender: { number: message.from ?? contactNumber, userId: message.from_user_id ?? contactUser },
        text: message.text?.body ?? message.button?.text ?? message.interactive?.button_reply.title ?? '',
      }),
    ),
    ...statuses.flatMap((status): ProviderEvent[] => {
      const known = STATUSES.find((name) => name === status.status);
      if (known === undefined) return [];
      return [
        {
          kind: 'status',
          id: `${status.id} ${known}`,
          token: status.biz_opaque_callback_data,
          messageId: status.id,
          status: known,
          code: status.errors[0] === undefined ? null : String(status.errors[0].code),
          receiver: { number: status.recipient_id, userId: status.recipient_user_id ?? contactUser },
        },
      ];
    }),
    ...user_preferences
      .filter((preference) => preference.value === 'stop')
      .map(
        (preference): ProviderEvent => ({
          kind: 'stop',
          id: `preference ${preference.wa_id ?? preference.user_id ?? contactUser} ${preference.timestamp}`,
          sender: { number: preference.wa_id ?? contactNumber, userId: preference.user_id ?? contactUser },
        }),
      ),
  ];
}
