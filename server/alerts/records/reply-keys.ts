import type { AlertKeys } from './alert-keys.ts';

/** The keys under which the replies to a number are counted. */
export function replyKey(keys: AlertKeys, numberKey: string): string {
  return keys.hash('reply', numberKey);
}

/** The same of replies to messages that ask for nothing. */
export function replyToNothingKey(keys: AlertKeys, numberKey: string): string {
  return keys.hash('reply', `${numberKey} nothing`);
}

export function replyKeys(keys: AlertKeys, numberKey: string): string[] {
  return [replyKey(keys, numberKey), replyToNothingKey(keys, numberKey)];
}
