import * as v from 'valibot';
import { senderOf } from '../tables/sender.ts';
import type { MessageProvider, OutgoingMessage, ProviderEvent } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { outcomeOf } from './provider-call.ts';
import type { ProviderCaller } from './provider-caller.ts';
import { twilioLookUp } from './twilio-look-up.ts';
import { isSignedWebhook } from './webhook-signature.ts';

type Settings = Extract<MessageProviderSettings, { kind: 'twilio' }>;

const WEBHOOK = '/webhooks/whatsapp';

/** Messages of one number that a lookup reads, newest first. */
const LISTED = 100;

/** Twilio's message resource. The address of the status callback carries the attempt's token. */
export function twilioProvider(settings: Settings, caller: ProviderCaller): MessageProvider {
  const url = `${settings.baseUrl}/2010-04-01/Accounts/${settings.accountSid}/Messages.json`;
  const credentials = Buffer.from(`${settings.accountSid}:${settings.authToken}`).toString('base64');
  const headers = {
    authorization: `Basic ${credentials}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return {
    name: 'twilio',
    channel: 'whatsapp',
    async send(message, signal) {
      const body = new URLSearchParams(formOf(message, settings)).toString();
      const result = await caller.call(url, { headers, body }, signal);
      return outcomeOf(result, { accepted: readAccepted, code: readCode });
    },
    async lookUp(message, signal) {
      const query = new URLSearchParams({
        To: `whatsapp:+${message.number}`,
        From: `whatsapp:${settings.from}`,
        PageSize: String(LISTED),
      });
      const { authorization } = headers;
      const result = await caller.call(
        `${url}?${query.toString()}`,
        { headers: { authorization }, body: null },
        signal,
      );
      return twilioLookUp(result, message);
    },
    preview: (message) => JSON.stringify(formOf(message, settings), null, 2),
    readWebhook(request) {
      if (!isSignedWebhook(settings, request)) return { kind: 'forbidden' };
      const token = new URL(request.url, settings.publicUrl).searchParams.get('attempt');
      const form = new URLSearchParams(Buffer.from(request.body).toString('utf8'));
      const update = v.safeParse(webhook, Object.fromEntries(form));
      if (!update.success) return { kind: 'unreadable' };
      return { kind: 'events', events: eventsOf(update.output, token) };
    },
    close: () => caller.close(),
  };
}

function formOf({ token, to, form, body }: OutgoingMessage, settings: Settings): Record<string, string> {
  const message = {
    To: `whatsapp:+${to}`,
    From: `whatsapp:${settings.from}`,
    StatusCallback: `${settings.publicUrl}${WEBHOOK}?attempt=${token}`,
  };
  // Twilio's free text has no buttons; every text says which words to reply with.
  if (form === 'text') return { ...message, Body: body.text };
  // The IDs of a template's buttons are its last variables.
  const values = [...body.parameters, ...body.buttons.map(({ payload }) => payload)];
  const variables = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
  return {
    ...message,
    ContentSid: settings.templates[body.template],
    ContentVariables: JSON.stringify(variables),
  };
}

const created = v.object({ sid: v.string() });
const refused = v.object({ code: v.number() });

function readAccepted(body: unknown) {
  const answer = v.safeParse(created, body);
  return answer.success ? { messageId: answer.output.sid, userId: null } : null;
}

function readCode(body: unknown): string | null {
  const answer = v.safeParse(refused, body);
  return answer.success ? String(answer.output.code) : null;
}

const webhook = v.object({
  MessageSid: v.optional(v.string(), ''),
  MessageStatus: v.optional(v.string()),
  SmsStatus: v.optional(v.string()),
  ErrorCode: v.optional(v.string()),
  From: v.optional(v.string(), ''),
  To: v.optional(v.string(), ''),
  Body: v.optional(v.string(), ''),
  ButtonText: v.optional(v.string()),
  ButtonPayload: v.optional(v.string()),
  /** The user ID, in addition to a number or instead of it. */
  ExternalUserId: v.optional(v.string()),
});

const STATUSES: Readonly<Record<string, 'sent' | 'delivered' | 'read' | 'failed'>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  undelivered: 'failed',
};

function eventsOf(update: v.InferOutput<typeof webhook>, token: string | null): ProviderEvent[] {
  const id = update.MessageSid;
  const named = update.MessageStatus ?? update.SmsStatus ?? '';
  if (named === '' || named === 'received') {
    const sender = senderOf(nameOf(update.From), update.ExternalUserId);
    const text = update.ButtonText ?? update.Body;
    const payload = update.ButtonPayload ?? null;
    // Twilio's webhooks carry no time.
    return [{ kind: 'message', id, sender, text, payload, at: null }];
  }
  const status = Object.hasOwn(STATUSES, named) ? STATUSES[named] : undefined;
  if (status === undefined) return [];
  const receiver = senderOf(nameOf(update.To), update.ExternalUserId);
  return [
    {
      kind: 'status',
      id: `${id} ${status}`,
      token,
      messageId: id,
      status,
      code: update.ErrorCode ?? null,
      receiver,
    },
  ];
}

/** 'whatsapp:+447…' is a number, 'whatsapp:GB.…' a user ID. */
function nameOf(address: string): string {
  return address.replace(/^whatsapp:/, '');
}
