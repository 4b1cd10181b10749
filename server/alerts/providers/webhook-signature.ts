import { createHash, createHmac } from 'node:crypto';
import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import type { WebhookRequest } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { WEBHOOKS } from './webhook-limits.ts';

/** Fields of a form. Twilio sends about 30; tens of thousands would be sorted before the signature is known to be wrong. */
const MOST_FIELDS = 200;

/** Whether the configured provider has signed a webhook. */
export function isSignedWebhook(settings: MessageProviderSettings, request: WebhookRequest): boolean {
  const limits = WEBHOOKS[settings.kind];
  const expected = signatureOf(settings, request);
  if (limits === null || expected === null) return false;
  return constantTimeEqual(String(request.headers[limits.signatureHeader] ?? ''), expected);
}

/** Null: the provider would not sign this. */
function signatureOf(settings: MessageProviderSettings, request: WebhookRequest): string | null {
  switch (settings.kind) {
    case 'local':
      return null;
    case 'meta':
      return `sha256=${createHmac('sha256', settings.appSecret).update(request.body).digest('hex')}`;
    case 'twilio':
      return twilioSignature(`${settings.publicUrl}${request.url}`, request.body, settings.authToken);
    case 'bird':
      return birdSignature(`${settings.publicUrl}${request.url}`, request, settings.signingKey);
  }
}

/** Twilio signs the address and every field of the form, sorted by name. */
function twilioSignature(address: string, body: Uint8Array, authToken: string): string | null {
  const text = Buffer.from(body).toString('utf8');
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) return null;
  const fields = [...new URLSearchParams(text)].toSorted(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0,
  );
  const signed = address + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed).digest('base64');
}

/** Bird signs the time, the address and the body's hash (as bytes), separated by line breaks. */
function birdSignature(address: string, { headers, body }: WebhookRequest, key: string): string {
  const timestamp = String(headers['messagebird-request-timestamp'] ?? '');
  const hash = createHash('sha256').update(body).digest();
  return createHmac('sha256', key).update(`${timestamp}\n${address}\n`).update(hash).digest('base64');
}
