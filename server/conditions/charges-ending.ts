import { todayInLondon } from '../../domain/calendar-date.ts';
import { endingRules } from '../inventory/outdated-charges.ts';
import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const CHARGES_ENDING: Condition<Pick<ServerView, 'charges' | 'now'>> = {
  id: 'charges rules',
  level: 'warn',
  sentence: 'Rules of local charges need an update',
  remedy: 'Add the rules that follow to LOCAL_CHARGES_FILE: docs/contracts/local-charges.md.',
  graceMs: 0,
  read({ charges, now }) {
    const detail = charges && endingRules(charges, todayInLondon(now));
    return detail !== null && { detail };
  },
};
