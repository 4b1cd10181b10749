import { userInfo } from 'node:os';
import type { AlertsConfig } from '../../alerts/alerts-config.ts';
import type { AlertStore } from '../../alerts/tables/alert-store.ts';
import { isConfirmed, type Options } from '../../lib/command-line.ts';
import type { StoreAddress } from '../../storage/store-address.ts';

/** The options of all commands. */
export const ALERT_OPTIONS = {
  json: false,
  all: false,
  yes: false,
  'dry-run': false,
  state: null,
  template: null,
  error: null,
  after: '0',
  limit: '50',
  minutes: null,
  to: null,
  why: null,
  who: null,
} as const;

export interface Operation {
  store: AlertStore;
  config: AlertsConfig;
  address: StoreAddress;
  /** The secret that the alerts' keys are derived from. */
  secret: Uint8Array;
  /** The command's arguments. */
  words: readonly string[];
  options: Options<typeof ALERT_OPTIONS>;
  now: number;
  print(line: string): void;
  /** Prints an error and sets exit status 1. */
  fail(line: string): void;
}

/** Asks for confirmation, unless `--yes` is set. Without a terminal, fails and returns false. */
export async function isAgreed({ options, fail }: Operation, question: string): Promise<boolean> {
  return await isConfirmed(question, options.yes, { print: fail });
}

/** Who acts, for the audit: `--who`, else the account on this machine. */
export function whoActs({ options }: Operation): string {
  return options.who ?? userInfo().username;
}

/** The whole number in an option; null for anything else. */
export function wholeOption(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
