import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const WORK_UNFINISHED: Condition<ServerView> = {
  id: 'unfinished',
  level: 'warn',
  sentence: 'An upgrade or a new setting is not complete',
  remedy: 'Keep the server running. If it is not, start it: it continues.',
  readyz: 'warnings',
  read: ({ unfinished }) => unfinished.map((detail) => ({ detail })),
};
