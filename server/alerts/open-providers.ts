import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import type { AlertKeys } from './keys/alert-keys.ts';
import { readVapidKeys } from './keys/vapid-key.ts';
import { localProvider } from './providers/local.ts';
import type { MessageProvider } from './providers/message-provider.ts';
import { definitionOf } from './providers/providers.ts';
import { smtpProvider } from './providers/smtp.ts';
import { webPushProvider } from './providers/web-push.ts';
import { linkMaker } from './rendering/message-links.ts';

/** Opens the provider of WhatsApp messages, and the providers of the other channels on offer. */
export function openProviders(
  { provider, email, webPush, siteUrl, sending }: AlertsConfig,
  { address, brandName, keys }: { address: StoreAddress; brandName: string; keys: AlertKeys },
): { provider: MessageProvider; others: MessageProvider[] } {
  const whatsapp = definitionOf(provider).open(provider, sending.timeoutMs);
  // Messages on other channels contain links, so they need this site's URL.
  if (siteUrl === null) return { provider: whatsapp, others: [] };
  const writing = { brandName, links: linkMaker(keys, siteUrl) };
  const vapid = webPush === null ? null : readVapidKeys(webPush.key, address);
  const others: MessageProvider[] = [];
  if (email !== null)
    others.push(email.kind === 'local' ? localProvider('email') : smtpProvider(email, writing));
  if (webPush !== null && vapid !== null)
    others.push(webPushProvider({ ...vapid, subject: webPush.subject }, sending.timeoutMs, writing));
  return { provider: whatsapp, others };
}
