import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { parseArgs } from 'node:util';
import type { AlertsConfig } from '../../alerts/alerts-config.ts';
import type { MessageProvider } from '../../alerts/providers/message-provider.ts';
import type { AlertStore } from '../../alerts/tables/alert-store.ts';
import type { Channel } from '../../alerts/tables/contacts.ts';
import type { StoreAddress } from '../../storage/store-address.ts';

/** The options of all commands. */
export const ALERT_OPTIONS = {
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  state: { type: 'string' },
  template: { type: 'string' },
  error: { type: 'string' },
  after: { type: 'string', default: '0' },
  limit: { type: 'string', default: '50' },
  minutes: { type: 'string' },
  to: { type: 'string' },
  why: { type: 'string' },
  who: { type: 'string' },
  conclude: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export interface Operation {
  store: AlertStore;
  provider: MessageProvider;
  /** Returns the provider of a channel; null if the channel is not set up. */
  providerOf(channel: Channel): MessageProvider | null;
  config: AlertsConfig;
  brandName: string;
  address: StoreAddress;
  /** The secret that the alerts' keys are derived from. */
  secret: Uint8Array;
  /** The command's arguments. */
  words: readonly string[];
  options: Partial<ReturnType<typeof parseArgs<{ options: typeof ALERT_OPTIONS }>>['values']>;
  now: number;
  print(line: string): void;
  /** Prints an error and sets exit status 1. */
  fail(line: string): void;
}

/** Asks for confirmation, unless `--yes` is set. Without a terminal, returns false. */
export async function isConfirmed({ options, print }: Operation, question: string): Promise<boolean> {
  if (options.yes) return true;
  if (!process.stdin.isTTY) {
    print(`${question} Not done: add --yes to confirm.`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Who acts, for the audit: `--who`, else the account on this machine. */
export function whoActs({ options }: Operation): string {
  return options.who ?? userInfo().username;
}

/** The whole number in an option; null for anything else. */
export function wholeOption(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
