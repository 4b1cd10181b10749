import * as v from 'valibot';
import { senderOf } from '../tables/sender.ts';
import { BIRD_STATUSES, birdLookUp } from './bird-look-up.ts';
import type { MessageProvider, OutgoingMessage, ProviderEvent } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { outcomeOf } from './provider-call.ts';
import type { ProviderCaller } from './provider-caller.ts';
import { readableItems, readJson, textOrNull } from './readable-items.ts';
import { isSignedWebhook } from './webhook-signature.ts';

type Settings = Extract<MessageProviderSettings, { kind: 'bird' }>;

/** Bird's channels API. `reference` carries the attempt's token. A template's name is `project:version`. */
export function birdProvider(settings: Settings, caller: ProviderCaller): MessageProvider {
  const url = `${settings.baseUrl}/workspaces/${settings.workspaceId}/channels/${settings.channelId}/messages`;
  const headers = { authorization: `AccessKey ${settings.accessKey}`, 'content-type': 'application/json' };
  return {
    name: 'bird',
    channel: 'whatsapp',
    async send(message, signal) {
      const body = JSON.stringify(requestOf(message, settings));
      const result = await caller.call(url, { headers, body }, signal);
      return outcomeOf(result, { accepted: readAccepted, code: () => null });
    },
    async lookUp(message, signal) {
      const { authorization } = headers;
      return birdLookUp(
        (query) =>
          caller.call(`${url}?${query.toString()}`, { headers: { authorization }, body: null }, signal),
        message,
      );
    },
    preview: (message) => JSON.stringify(requestOf(message, settings), null, 2),
    readWebhook(request) {
      if (!isSignedWebhook(settings, request)) return { kind: 'forbidden' };
      const update = v.safeParse(webhook, readJson(request.body));
      if (!update.success) return { kind: 'unreadable' };
      return { kind: 'events', events: eventsOf(update.output) };
    },
    close: () => caller.close(),
  };
}

function requestOf({ token, to, form, body }: OutgoingMessage, { templates, language }: Settings): object {
  const message = {
    receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: `+${to}` }] },
    reference: token,
  };
  if (form === 'text') {
    const actions = body.buttons.map(({ title, payload }) => ({
      type: 'postback',
      postback: { text: title, payload },
    }));
    const text = { text: body.text, ...(actions.length === 0 ? {} : { actions }) };
    return { ...message, body: { type: 'text', text } };
  }
  const [projectId, version = 'latest'] = templates[body.template].split(':');
  // The payloads of a template's buttons are its last parameters.
  const values = [...body.parameters, ...body.buttons.map(({ payload }) => payload)];
  const parameters = values.map((value, index) => ({
    type: 'string',
    key: String(index + 1),
    value,
  }));
  return { ...message, template: { projectId, version, locale: language, parameters } };
}

const created = v.object({ id: v.string() });

function readAccepted(body: unknown) {
  const answer = v.safeParse(created, body);
  return answer.success ? { messageId: answer.output.id, userId: null } : null;
}

const contact = v.object({ identifierValue: v.optional(v.string(), '') });

const pressed = v.object({
  postback: v.optional(v.object({ text: textOrNull, payload: textOrNull })),
  reply: v.optional(v.object({ text: textOrNull, payload: textOrNull })),
});

const inboundBody = v.object({
  text: v.object({ text: v.string(), actions: readableItems(pressed) }),
});

const webhook = v.object({
  event: v.string(),
  payload: v.object({
    id: v.string(),
    reference: v.nullish(v.string(), null),
    status: v.optional(v.string(), ''),
    sender: v.fallback(v.object({ contact: v.nullish(contact, null) }), { contact: null }),
    receiver: v.fallback(v.object({ contacts: v.nullish(v.array(contact), []) }), { contacts: [] }),
    createdAt: textOrNull,
    body: v.fallback(v.nullable(inboundBody), null),
    failure: v.fallback(v.nullable(v.object({ code: v.union([v.number(), v.string()]) })), null),
    meta: v.fallback(v.object({ extraInformation: v.object({ whatsappbsuid: textOrNull }) }), {
      extraInformation: { whatsappbsuid: null },
    }),
  }),
});

function eventsOf({ event, payload }: v.InferOutput<typeof webhook>): ProviderEvent[] {
  const { id, reference, sender, receiver, body, failure, meta, createdAt } = payload;
  const userId = meta.extraInformation.whatsappbsuid;
  if (event === 'whatsapp.inbound') {
    const from = senderOf(sender.contact?.identifierValue, userId);
    const [button] = body?.text.actions ?? [];
    const pressedPayload = button?.postback?.payload ?? button?.reply?.payload ?? null;
    const at = instantOf(createdAt);
    return [{ kind: 'message', id, sender: from, text: body?.text.text ?? '', payload: pressedPayload, at }];
  }
  const status = Object.hasOwn(BIRD_STATUSES, payload.status) ? BIRD_STATUSES[payload.status] : undefined;
  if (event !== 'whatsapp.outbound' || status === undefined) return [];
  return [
    {
      kind: 'status',
      id: `${id} ${status}`,
      token: reference,
      messageId: id,
      status,
      code: failure === null ? null : String(failure.code),
      receiver: senderOf(receiver.contacts?.[0]?.identifierValue, userId),
    },
  ];
}

/** An ISO 8601 instant in milliseconds since 1970; null for anything else. */
function instantOf(text: string | null): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
}
