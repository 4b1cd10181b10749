import type { KeyRing } from './key-ring.ts';

/** What is counted separately: all replies, those to messages without a request, and those to a stop. */
export type ReplyCount = 'all' | 'nothing' | 'stop';

export function replyKey(keys: KeyRing, contactKey: string, count: ReplyCount): string {
  return keys.keyFor('reply', count === 'all' ? contactKey : `${contactKey} ${count}`);
}

export function replyKeys(keys: KeyRing, contactKey: string): string[] {
  return (['all', 'nothing', 'stop'] as const).map((count) => replyKey(keys, contactKey, count));
}
