import { readBackupState } from '../backup/backup-notes.ts';
import { type Condition, HOUR_MS, instant } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

/** If the last nightly backup is older, a night was missed. */
const MAX_AGE_MS = 36 * HOUR_MS;

export const BACKUP_LATE: Condition<StoreView, StoreFacts> = {
  id: 'backup late',
  level: 'warn',
  sentence: 'The backup is late',
  remedy: 'Check the timer or job that runs {backup}.',
  graceMs: 0,
  gauges: [
    gauge(
      'backup_last_good_seconds',
      'Time of the last good backup, as a Unix time',
      ({ backups }) => backups.goodAt && backups.goodAt / 1_000,
    ),
  ],
  async read({ database, now }) {
    const { goodAt, failure } = await readBackupState(database);
    const isLate = goodAt !== null && failure === null && now - goodAt > MAX_AGE_MS;
    return isLate && { detail: `the last good one was made on ${instant(goodAt)}` };
  },
};
