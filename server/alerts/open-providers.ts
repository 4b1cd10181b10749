import type { StoreAddress } from '../storage/store-address.ts';
import type { AlertsConfig } from './alerts-config.ts';
import type { AlertKeys } from './keys/alert-keys.ts';
import { readVapidKeys } from './keys/vapid-key.ts';
import type { MessageProvider } from './providers/message-provider.ts';
import { openEmailProvider, openProvider, openWebPushProvider } from './providers/open-provider.ts';
import { linkMaker } from './rendering/message-links.ts';

/** The provider of WhatsApp messages, and those of the other channels that are offered. */
export function openProviders(
  { provider, email, webPush, siteUrl, sending }: AlertsConfig,
  { address, brandName, keys }: { address: StoreAddress; brandName: string; keys: AlertKeys },
): { provider: MessageProvider; others: MessageProvider[] } {
  const whatsapp = openProvider(provider, sending.timeoutMs);
  // Messages of the other channels have links, so they need our address.
  if (siteUrl === null) return { provider: whatsapp, others: [] };
  const writing = { brandName, links: linkMaker(keys, siteUrl) };
  const vapid = webPush === null ? null : readVapidKeys(webPush.key, address);
  const others = [
    email === null ? null : openEmailProvider(email, writing),
    webPush === null || vapid === null
      ? null
      : openWebPushProvider({ ...vapid, subject: webPush.subject }, sending.timeoutMs, writing),
  ];
  return { provider: whatsapp, others: others.filter((one) => one !== null) };
}
