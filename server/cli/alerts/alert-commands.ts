import { randomBytes } from 'node:crypto';
import { actOnMessages, showMessages } from './message-commands.ts';
import { bulkSuppression, erase, readNumber } from './number-commands.ts';
import type { Operation } from './operation.ts';
import { rotateKeys } from './rotate-keys-command.ts';
import { pause, resume, showReport, showStatus } from './state-commands.ts';

interface AlertCommand {
  /** Names every option that the command takes. */
  usage: string;
  /** How many arguments it takes; any number if omitted. */
  maxWords?: number;
  run(operation: Operation): Promise<void> | void;
}

/** A command that opens no store. */
interface LoneCommand extends Pick<AlertCommand, 'usage' | 'maxWords'> {
  runAlone(print: Operation['print']): void;
}

export const ALERT_COMMANDS: Readonly<Record<string, AlertCommand | LoneCommand>> = {
  status: { usage: '[--json]   the state of the price alerts', maxWords: 0, run: showStatus },
  report: {
    usage: '[--json]   messages by template, state and error; cost by day; rates of YES, reading and STOP',
    maxWords: 0,
    run: showReport,
  },
  messages: {
    usage:
      '[<id>] [--state unknown] [--template drop] [--error 131026] [--after <id>] [--limit 50] [--all] [--json]   lists messages',
    maxWords: 1,
    run: showMessages,
  },
  'send-again': {
    usage:
      '<id> | --all [--state ...] [--template ...] [--error ...] [--dry-run] [--yes]   sends unknown or failed messages again',
    maxWords: 1,
    run: (operation) => actOnMessages(operation, 'send again'),
  },
  'give-up': {
    usage: '<id> | --all [--state ...] [--template ...] [--error ...] [--dry-run] [--yes]   abandons them',
    maxWords: 1,
    run: (operation) => actOnMessages(operation, 'give up'),
  },
  pause: {
    usage: '[--minutes 30]   stops sending until `resume`, or for that many minutes',
    maxWords: 0,
    run: pause,
  },
  resume: { usage: '[<template>]   ends a pause, or releases a held template', maxWords: 1, run: resume },
  lookup: {
    usage: "<number or email> --why '...' [--who name]   shows everything stored about it; audited",
    run: async (operation) => readNumber(operation, 'lookup'),
  },
  export: {
    usage: "<number or email> --why '...' [--who name] [--to file]   the same as JSON; audited",
    run: async (operation) => readNumber(operation, 'export'),
  },
  suppression: {
    usage:
      "add|remove|check <file> --why '...' [--who name] [--dry-run] [--yes]   the numbers and email addresses of a file, one per line; audited",
    maxWords: 2,
    run: bulkSuppression,
  },
  'rotate-keys': {
    usage:
      '[--to <file>] [--yes]   replaces the key of numbers and hashes, while no server runs; see docs/alerts.md',
    maxWords: 0,
    run: rotateKeys,
  },
  erase: {
    usage:
      '<number or email> [--yes]   erases everything about a phone number or an email address, in any format',
    run: erase,
  },
  'vapid-key': {
    usage: '  prints a new VAPID_KEY, for servers that share a PostgreSQL',
    maxWords: 0,
    // Subscriptions made with another key stop working.
    runAlone: (print) => print(randomBytes(32).toString('base64url')),
  },
};

export const USAGE = Object.entries(ALERT_COMMANDS)
  .map(([name, { usage }]) => `npm run alerts -- ${name} ${usage}`)
  .join('\n');
