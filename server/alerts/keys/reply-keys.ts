import type { AlertKeys } from './alert-keys.ts';

/** The keys under which the replies to a number are counted. */
export function replyKey(keys: AlertKeys, numberKey: string): string {
  return keys.hash('reply', numberKey);
}

/** The same of replies to messages that ask for nothing. */
export function replyToNothingKey(keys: AlertKeys, numberKey: string): string {
  return keys.hash('reply', `${numberKey} nothing`);
}

/** The same of answers to STOP. */
export function replyToStopKey(keys: AlertKeys, numberKey: string): string {
  return keys.hash('reply', `${numberKey} stop`);
}

export function replyKeys(keys: AlertKeys, numberKey: string): string[] {
  return [replyKey, replyToNothingKey, replyToStopKey].map((keyOf) => keyOf(keys, numberKey));
}
