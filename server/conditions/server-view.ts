import type { ChargeTable } from '../../domain/local-charges.ts';
import type { CheckedServer } from '../storage/postgres/check-server.ts';

/** A Web Vital that visitors' browsers have reported. */
export interface VitalSummary {
  name: string;
  page: string;
  measurements: number;
  /** The 75th percentile in seconds, rounded up to its bucket's limit. Infinity if above the last bucket. */
  p75: number;
}

/** What conditions of a server and its machine are read from. */
export interface ServerView {
  now: number;
  /** Why a setting or providers.json is invalid. */
  settingsFault: string | null;
  /** Why the store does not respond. */
  storeFault: string | null;
  hasPage: boolean;
  /** Free bytes on the disk of the data folder; null: unknown. */
  freeBytes: number | null;
  /** Whether the key file of the alerts was removed. */
  isKeyMissing: boolean;
  servers: readonly Pick<CheckedServer, 'name' | 'fault'>[];
  charges: ChargeTable | null;
  /** What an upgrade or a new table of charges still has to do. */
  unfinished: readonly string[];
  vitals: readonly VitalSummary[];
}

/** A server of which nothing is known to be wrong. */
export const QUIET_SERVER: Omit<ServerView, 'now'> = {
  settingsFault: null,
  storeFault: null,
  hasPage: true,
  freeBytes: null,
  isKeyMissing: false,
  servers: [],
  charges: null,
  unfinished: [],
  vitals: [],
};
