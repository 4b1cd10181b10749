import type { Channel } from '../tables/stop-scope.ts';

/** What a channel's messages are called. */
export const MESSAGES: Readonly<Record<Channel, string>> = {
  whatsapp: 'WhatsApp messages',
  email: 'emails',
  push: 'notifications in this browser',
};
