import type { Config } from '../config.ts';
import { hasRecipient, type NoticeSettings } from '../notices/notice-settings.ts';
import { type Finding, ok, warn } from './finding.ts';

/** In production: whether anyone is notified of failures. */
export function checkNotices({ mode }: Config, notices: NoticeSettings): Finding[] {
  if (mode !== 'production') return [];
  if (hasRecipient(notices))
    return [ok('Operators are notified of failures. Try it with npm run notices -- test.')];
  return [
    warn(
      'Skylark notifies no one of failures.',
      'Set NOTICE_EMAIL or NOTICE_WEBHOOK: docs/operations-reference.md.',
    ),
  ];
}
