import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const KEY_MISSING: Condition<ServerView> = {
  id: 'key',
  level: 'bad',
  sentence: 'The file alerts.key is missing in the data folder',
  remedy: 'Before the server stops, restore your copy: without it, no server can read the price alerts.',
  graceMs: 0,
  readyz: 'warnings',
  read: ({ isKeyMissing }) => isKeyMissing && {},
};
