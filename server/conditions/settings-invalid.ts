import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const SETTINGS_INVALID: Condition<Pick<ServerView, 'settingsFault'>> = {
  id: 'settings',
  level: 'bad',
  sentence: 'A setting or providers.json is invalid',
  remedy: 'Correct it: docs/configuration.md lists every variable.',
  graceMs: 0,
  read: ({ settingsFault }) =>
    settingsFault === null ? 'The settings are valid.' : { detail: settingsFault },
};
