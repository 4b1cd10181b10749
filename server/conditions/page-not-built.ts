import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const PAGE_NOT_BUILT: Condition<ServerView> = {
  id: 'page',
  level: 'bad',
  sentence: 'The page has not been built',
  remedy: 'Run npm run build, or use npm start, which builds it.',
  readyz: 'missing',
  read: ({ hasPage }) => !hasPage && {},
};
