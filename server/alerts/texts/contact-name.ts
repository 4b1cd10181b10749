import type { AlertSession } from '../tables/alert-store.ts';
import { type Channel, type Contact, decryptContact } from '../tables/contacts.ts';

/** What messages on each channel are called. */
export const MESSAGES: Readonly<Record<Channel, string>> = {
  whatsapp: 'WhatsApp messages',
  email: 'emails',
  push: 'notifications in this browser',
  ntfy: 'ntfy notifications',
};

/** 'the number ending in 123', 'the address s…@example.com', 'the browser at push.example' */
export async function contactName(store: AlertSession, { id, channel }: Contact): Promise<string> {
  const address = await decryptContact(store, id);
  switch (channel) {
    case 'whatsapp':
      return `the number ending in ${address.slice(-3)}`;
    case 'email':
      return `the address ${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`;
    case 'push':
      return `the browser at ${pushHost(address)}`;
    case 'ntfy':
      return `the ntfy topic ${address.slice(0, 2)}…`;
  }
}

export function pushHost(subscription: string): string {
  return URL.parse((JSON.parse(subscription) as { endpoint: string }).endpoint)?.host ?? '';
}
