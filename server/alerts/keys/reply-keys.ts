import type { KeyRing } from './key-ring.ts';

/** The keys under which the replies to a number are counted. */
export function replyKey(keys: KeyRing, numberKey: string): string {
  return keys.keyFor('reply', numberKey);
}

/** The same of replies to messages that ask for nothing. */
export function replyToNothingKey(keys: KeyRing, numberKey: string): string {
  return keys.keyFor('reply', `${numberKey} nothing`);
}

/** The same of answers to STOP. */
export function replyToStopKey(keys: KeyRing, numberKey: string): string {
  return keys.keyFor('reply', `${numberKey} stop`);
}

export function replyKeys(keys: KeyRing, numberKey: string): string[] {
  return [replyKey, replyToNothingKey, replyToStopKey].map((keyOf) => keyOf(keys, numberKey));
}
