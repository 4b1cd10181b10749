import { todayInLondon } from '../../domain/calendar-date.ts';
import { oldRates } from '../inventory/outdated-charges.ts';
import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

export const RATES_OLD: Condition<Pick<ServerView, 'charges' | 'now'>> = {
  id: 'charges rates',
  level: 'warn',
  sentence: 'Exchange rates need an update',
  remedy: 'Put current rates into EXCHANGE_RATES_FILE: docs/contracts/local-charges.md.',
  graceMs: 0,
  read({ charges, now }) {
    const detail = charges && oldRates(charges, todayInLondon(now));
    return detail !== null && { detail };
  },
};
