import { type Condition, MINUTE_MS } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const REPLICA_UNUSED: Condition<Pick<ServerView, 'servers'>> = {
  id: 'replica',
  level: 'warn',
  sentence: '$ is not used',
  remedy: 'Searches go to the other servers.',
  graceMs: MINUTE_MS,
  readyz: 'warnings',
  read: ({ servers }) =>
    servers.flatMap(({ name, fault }) => {
      if (fault === null) return `${name} responds.`;
      return {
        subject: name,
        detail: `it ${fault.reason}`,
        remedy: `${fault.remedy}. Searches go to the others.`,
      };
    }),
};
