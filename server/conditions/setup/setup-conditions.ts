import type { Condition } from '../condition.ts';
import { PRICE_BLOCKS_WRONG, RECORDS_MISSING } from './contents-wrong.ts';
import { DISK_LOW, FILES_EXPOSED, FILES_OF_OTHERS, FOLDER_NOT_WRITABLE } from './data-folder.ts';
import type { DoctorStoreView, DoctorView } from './doctor-view.ts';
import { ALERTS_KEY_DIFFERS, KEYS_UNSET, TOKEN_KEY_DIFFERS } from './keys-wrong.ts';
import { CLOCK_WRONG, CLOCKS_DIFFER, LIST_INVALID, NODE_WRONG } from './machine.ts';
import {
  MAIL_SERVER_UNUSABLE,
  NO_QUIET_HOURS,
  PROVIDER_PLAIN,
  PROVIDER_UNREACHABLE,
  PUSH_UNUSABLE,
} from './messaging.ts';
import { NOTICES_OFF, OPERATOR_UNSET, PUBLIC_URL_WRONG, UNKNOWN_SETTING } from './operator-unset.ts';
import { PORT_TAKEN, PROXY_UNKNOWN, SCHEMA_EXPOSED } from './port-taken.ts';
import { SAMPLE_MIXED, SAMPLE_SHOWN } from './sample-mixed.ts';
import { SOURCE_SILENT, SOURCE_UNREADABLE } from './source-unreadable.ts';
import { CITUS_FAULT, STORE_UNUSABLE } from './store-unusable.ts';

/** What only the doctor looks at: the installation and its settings. */
export const SETUP_CONDITIONS: readonly Condition<DoctorView>[] = [
  UNKNOWN_SETTING,
  NODE_WRONG,
  CLOCK_WRONG,
  LIST_INVALID,
  OPERATOR_UNSET,
  PUBLIC_URL_WRONG,
  NOTICES_OFF,
  SOURCE_UNREADABLE,
  SOURCE_SILENT,
  KEYS_UNSET,
  PORT_TAKEN,
  SCHEMA_EXPOSED,
  PROXY_UNKNOWN,
  PROVIDER_UNREACHABLE,
  PROVIDER_PLAIN,
  NO_QUIET_HOURS,
  MAIL_SERVER_UNUSABLE,
  PUSH_UNUSABLE,
];

/** The conditions of the data folder, in which PostgreSQL's imports keep temporary files too. */
export const FOLDER_CONDITIONS: readonly Condition<DoctorView>[] = [
  FOLDER_NOT_WRITABLE,
  DISK_LOW,
  FILES_EXPOSED,
  FILES_OF_OTHERS,
];

/** Without faults, the store's content can be read. */
export const STORE_FAULTS: readonly Condition<DoctorView>[] = [STORE_UNUSABLE, CITUS_FAULT];

/** What only the doctor looks at in the store, because it takes long or concerns the settings. */
export const CONTENT_CONDITIONS: readonly Condition<DoctorStoreView>[] = [
  RECORDS_MISSING,
  PRICE_BLOCKS_WRONG,
  CLOCKS_DIFFER,
  SAMPLE_SHOWN,
  SAMPLE_MIXED,
  TOKEN_KEY_DIFFERS,
  ALERTS_KEY_DIFFERS,
];
