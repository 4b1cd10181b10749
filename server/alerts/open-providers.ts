import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import type { LinkKeys } from './keys/alert-keys.ts';
import { readVapidKeys } from './keys/vapid-key.ts';
import { localProvider } from './providers/local.ts';
import type { MessageProvider } from './providers/message-provider.ts';
import { ntfyProvider } from './providers/ntfy.ts';
import { definitionOf } from './providers/providers.ts';
import { smtpProvider } from './providers/smtp.ts';
import { webPushProvider } from './providers/web-push.ts';
import type { EmailWriting } from './rendering/email-message.ts';
import { linkMaker } from './rendering/message-links.ts';

/** Opens the provider of WhatsApp messages, and the providers of the other channels on offer. */
export function openProviders(
  { provider, email, webPush, ntfy, sending }: AlertsConfig,
  address: StoreAddress,
  /** Null without this site's URL: messages on other channels contain links. */
  writing: EmailWriting | null,
): { provider: MessageProvider; others: MessageProvider[] } {
  const whatsapp = definitionOf(provider).open(provider, sending.timeoutMs);
  if (writing === null) return { provider: whatsapp, others: [] };
  const vapid = webPush === null ? null : readVapidKeys(webPush.key, address);
  const others: MessageProvider[] = [];
  if (email !== null)
    others.push(email.kind === 'local' ? localProvider('email') : smtpProvider(email, writing));
  if (webPush !== null && vapid !== null)
    others.push(webPushProvider({ ...vapid, subject: webPush.subject }, sending.timeoutMs, writing));
  if (ntfy !== null) others.push(ntfyProvider(ntfy, sending.timeoutMs, writing));
  return { provider: whatsapp, others };
}

/** What messages with links need; null without this site's URL. */
export function emailWriting(
  { siteUrl, operatorName, operatorAddress }: AlertsConfig,
  brandName: string,
  keys: LinkKeys,
): EmailWriting | null {
  if (siteUrl === null) return null;
  const operator = operatorName === null ? null : [operatorName, operatorAddress].filter(Boolean).join(', ');
  return { brandName, links: linkMaker(keys, siteUrl), operator, privacyUrl: `${siteUrl}/privacy` };
}
