import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { defineSettings, type ReadValue, secretSetting, setting } from '../../environment/schema.ts';
import { httpUrl, requiredText } from '../../environment/values.ts';
import { senderOf } from '../tables/sender.ts';
import { errorTable } from './error-action.ts';
import { type CallResult, callProvider, outcomeOf } from './http-call.ts';
import type { InboundEvent, OutgoingMessage, ProviderDefinition, ProviderEvent } from './message-provider.ts';
import { metaErrorAction } from './meta.ts';
import { readableItems } from './readable-items.ts';
import { templateSettings } from './template-settings.ts';

const settings = defineSettings({
  kind: setting('ALERT_PROVIDER', v.literal('twilio')),
  baseUrl: setting('TWILIO_API_URL', v.optional(httpUrl, 'https://api.twilio.com')),
  accountSid: setting('TWILIO_ACCOUNT_SID', requiredText),
  authToken: secretSetting('TWILIO_AUTH_TOKEN', requiredText),
  from: setting(
    'TWILIO_FROM',
    v.pipe(requiredText, v.regex(/^\+\d{8,15}$/, 'a number such as +447700900000')),
  ),
  // Required: Twilio assigns the template IDs, so there is no default.
  templates: templateSettings(() => requiredText),
  // The URL that Twilio calls, and includes in its signature.
  publicUrl: setting('PUBLIC_URL', httpUrl),
});

export type TwilioSettings = ReadValue<typeof settings>;

const WEBHOOK = '/webhooks/whatsapp';

/** Twilio's message API. The URL of the status callback carries the attempt's token. */
export const twilio: ProviderDefinition<TwilioSettings> = {
  settings,
  carrier:
    'The messages travel through Twilio and WhatsApp, a service of Meta, which have to see the number that they go to.',
  webhook: {
    signatureHeader: 'x-twilio-signature',
    // In bytes: one event with a long message.
    maxBytes: 64 * 1024,
    signatureOf: ({ publicUrl, authToken }, { url, body }) =>
      signatureOf(`${publicUrl}${url}`, body, authToken),
    read(own, { url, body }) {
      const token = new URL(url, own.publicUrl).searchParams.get('attempt');
      const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
      const update = v.safeParse(webhook, Object.fromEntries(form));
      return update.success ? eventsOf(update.output, own.from, token) : null;
    },
    // TwiML without a reply. Twilio reports other content types as errors.
    answer: { type: 'text/xml; charset=utf-8', body: '<Response></Response>' },
  },
  open(own, timeoutMs) {
    const url = `${own.baseUrl}/2010-04-01/Accounts/${own.accountSid}/Messages.json`;
    const credentials = Buffer.from(`${own.accountSid}:${own.authToken}`).toString('base64');
    const authorization = `Basic ${credentials}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    return {
      name: 'twilio',
      channel: 'whatsapp',
      async send(message, signal) {
        const body = new URLSearchParams(formOf(message, own)).toString();
        const result = await callProvider(url, { headers, body }, signal, timeoutMs);
        return outcomeOf(result, { accepted: readAccepted, code: readCode });
      },
      errorAction: (code) => CODES(code) ?? metaErrorAction(code),
      async listInbound(since, signal) {
        const events: InboundEvent[] = [];
        const day = new Date(since).toISOString().slice(0, 10);
        const query = new URLSearchParams({ To: `whatsapp:${own.from}`, 'DateSent>': day, PageSize: '100' });
        let page: string | null = `${url}?${query.toString()}`;
        while (page !== null) {
          const result: CallResult = await callProvider(
            page,
            { headers: { authorization }, body: null },
            signal,
            timeoutMs,
          );
          const read =
            result.kind === 'response' && result.status === 200 ? v.safeParse(list, result.body) : null;
          if (!read?.success) throw new Error(`Twilio did not list the messages: ${whyOf(result)}`);
          const { messages, next_page_uri: next } = read.output;
          for (const { sid, direction, from, body, date_created: at } of messages) {
            if (direction !== 'inbound' || at < since) continue;
            events.push({
              kind: 'message',
              id: sid,
              sender: senderOf(nameOf(from)),
              text: body,
              payload: null,
              at,
            });
          }
          const isPast = messages.some(({ date_created: at }) => at < since);
          page = next === null || isPast ? null : `${own.baseUrl}${next}`;
        }
        return events.toReversed();
      },
    };
  },
};

/** Twilio's own error codes. It also passes on many of Meta's. */
const CODES = errorTable({
  'open circuit': [20003, 20005, 63001, 63002, 63007, 63051],
  'slow down': [20429, 14107, 63018],
  soon: [20500, 20503, 30001, 63010, 63012],
  final: [21211, 63003, 63014, 63015, 63016, 63024, 63031, 63032],
  stop: [21610, 63033],
  'hold template': [63027, 63028, 63040, 63041, 63042],
  pause: [63038],
  later: [63049],
});

function formOf({ token, to, body }: OutgoingMessage, own: TwilioSettings): Record<string, string> {
  const message = {
    To: `whatsapp:+${to}`,
    From: `whatsapp:${own.from}`,
    StatusCallback: `${own.publicUrl}${WEBHOOK}?attempt=${token}`,
  };
  // Twilio sends no buttons with free text, but each text names the words to reply with.
  if (body.template === 'reply') return { ...message, Body: body.text };
  // A template's last variables are its buttons' IDs.
  const values = [...body.parameters, ...body.buttons.map(({ payload }) => payload)];
  const variables = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
  return {
    ...message,
    ContentSid: own.templates[body.template],
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

function whyOf(result: CallResult): string {
  return result.kind === 'response' ? `http ${result.status}` : result.kind;
}

/** A page of Twilio's list, newest first. It has no button payloads, only their titles as text. */
const list = v.object({
  messages: readableItems(
    v.object({
      sid: v.string(),
      direction: v.string(),
      from: v.string(),
      body: v.fallback(v.string(), ''),
      date_created: v.pipe(v.string(), v.transform(Date.parse), v.number()),
    }),
  ),
  next_page_uri: v.fallback(v.nullable(v.string()), null),
});

/** The most form fields that are read. Twilio sends about 30. */
const MAX_FIELDS = 200;

/** The signature that Twilio makes over the URL and all form fields, sorted by name. */
function signatureOf(address: string, body: Uint8Array, authToken: string): string | null {
  const text = Buffer.from(body).toString('utf8');
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) return null;
  const fields = [...new URLSearchParams(text)].toSorted(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0,
  );
  const signed = address + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed).digest('base64');
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
  /** What Twilio's own handling of opt-outs has read in the message. It has then sent its own reply. */
  OptOutType: v.optional(v.string()),
  /** The user ID, in addition to a number or instead of it. */
  ExternalUserId: v.optional(v.string()),
});

const STATUSES: ReadonlyMap<string, 'sent' | 'delivered' | 'read' | 'failed'> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
  ['undelivered', 'failed'],
  ['canceled', 'failed'],
]);

/** The events in a webhook. Ignores messages to other numbers of the business than `ownNumber`. */
function eventsOf(
  update: v.InferOutput<typeof webhook>,
  ownNumber: string,
  token: string | null,
): ProviderEvent[] {
  const id = update.MessageSid;
  const named = update.MessageStatus ?? update.SmsStatus ?? '';
  if (named === '' || named === 'received') {
    if (update.To !== '' && nameOf(update.To) !== ownNumber) return [];
    const sender = senderOf(nameOf(update.From), update.ExternalUserId);
    if (update.OptOutType === 'STOP') return [{ kind: 'stop', id, sender, at: null }];
    if (update.OptOutType === 'HELP') return [];
    const text = update.OptOutType === 'START' ? 'START' : (update.ButtonText ?? update.Body);
    const payload = update.ButtonPayload ?? null;
    // Twilio's webhooks carry no time.
    return [{ kind: 'message', id, sender, text, payload, at: null }];
  }
  const status = STATUSES.get(named);
  if (status === undefined) return [];
  const receiver = senderOf(nameOf(update.To), update.ExternalUserId);
  const code = update.ErrorCode ?? null;
  return [{ kind: 'status', id: `${id} ${status}`, token, messageId: id, status, code, receiver }];
}

/** Removes Twilio's prefix: 'whatsapp:+447…' is a number, 'whatsapp:GB.…' a user ID. */
function nameOf(address: string): string {
  return address.replace(/^whatsapp:/, '');
}
