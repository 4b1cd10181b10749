import { readBackupState } from '../backup/backup-notes.ts';
import type { Condition } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

export const BACKUP_FAILED: Condition<StoreView, StoreFacts> = {
  id: 'backup failed',
  level: 'warn',
  sentence: 'The backup failed',
  remedy: 'Run it again: {backup}.',
  graceMs: 0,
  gauges: [
    gauge('backup_failed', '1 if the latest backup or its test failed', ({ backups }) =>
      Number(backups.failure !== null),
    ),
  ],
  async read({ database }) {
    const { failure } = await readBackupState(database);
    return failure !== null && { detail: failure };
  },
};
