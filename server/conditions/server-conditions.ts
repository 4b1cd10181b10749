import { CHARGES_ENDING } from './charges-ending.ts';
import type { Condition } from './condition.ts';
import { DISK_FULL } from './disk-full.ts';
import { KEY_MISSING } from './key-missing.ts';
import { PAGE_NOT_BUILT } from './page-not-built.ts';
import { PAGE_SLOW } from './page-slow.ts';
import { RATES_OLD } from './rates-old.ts';
import { REPLICA_UNUSED } from './replica-unused.ts';
import type { ServerView } from './server-view.ts';
import { SETTINGS_INVALID } from './settings-invalid.ts';
import { STORE_DOWN } from './store-down.ts';
import { WORK_UNFINISHED } from './work-unfinished.ts';

/** The conditions of a server and its machine. */
export const SERVER_CONDITIONS: readonly Condition<ServerView, Pick<ServerView, 'freeBytes'>>[] = [
  STORE_DOWN,
  SETTINGS_INVALID,
  PAGE_NOT_BUILT,
  REPLICA_UNUSED,
  WORK_UNFINISHED,
  DISK_FULL,
  KEY_MISSING,
  RATES_OLD,
  CHARGES_ENDING,
  PAGE_SLOW,
];
