import { type Condition, MINUTE_MS } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const STORE_DOWN: Condition<Pick<ServerView, 'storeFault'>> = {
  id: 'store',
  level: 'bad',
  sentence: 'The store does not respond',
  remedy: 'Sign-ups and imports are refused. See /readyz and {doctor}.',
  graceMs: MINUTE_MS,
  readyz: 'missing',
  read: ({ storeFault }) => storeFault !== null && { detail: storeFault },
};
