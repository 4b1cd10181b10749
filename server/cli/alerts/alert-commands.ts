import { actOnMessages, preview, showMessages } from './message-commands.ts';
import { bulkSuppression, erase, readNumber } from './number-commands.ts';
import type { Operation } from './operation.ts';
import { rotateKeys } from './rotate-keys-command.ts';
import { pause, printVapidKey, resume, showReport, showStatus } from './state-commands.ts';

interface AlertCommand {
  usage: string;
  run(operation: Operation): Promise<void> | void;
}

export const ALERT_COMMANDS: Readonly<Record<string, AlertCommand>> = {
  status: { usage: '[--json]   the state of the price alerts', run: showStatus },
  report: {
    usage:
      '[--json]   messages by template, state and error; cost by day; rates of YES, reading, opened links and STOP',
    run: showReport,
  },
  messages: {
    usage:
      '[<id>] [--state unknown] [--template drop] [--error 131026] [--after <id>] [--limit 50] [--all] [--json]   lists messages',
    run: showMessages,
  },
  'send-again': {
    usage:
      '<id> | --all [--state ...] [--template ...] [--error ...] [--dry-run] [--yes]   sends unknown or failed messages again',
    run: (operation) => actOnMessages(operation, 'send again'),
  },
  'give-up': {
    usage: '<id> | --all [--state ...] [--template ...] [--error ...] [--dry-run] [--yes]   abandons them',
    run: (operation) => actOnMessages(operation, 'give up'),
  },
  preview: { usage: '<id>   shows a message as it would be sent now', run: preview },
  pause: { usage: '[--minutes 30]   stops sending until `resume`, or for that many minutes', run: pause },
  resume: { usage: '[<template>]   ends a pause, or releases a held template', run: resume },
  lookup: {
    usage: "<number or email> --why '...' [--who name]   shows everything stored about it; audited",
    run: (operation) => readNumber(operation, 'lookup'),
  },
  export: {
    usage: "<number or email> --why '...' [--to file]   the same as JSON; audited",
    run: (operation) => readNumber(operation, 'export'),
  },
  suppression: {
    usage:
      "add|remove|check <file> --why '...' [--dry-run] [--yes]   the numbers and email addresses of a file, one per line; audited",
    run: bulkSuppression,
  },
  'rotate-keys': {
    usage:
      '[--to <file>] [--conclude]   replaces the key of numbers and hashes, while servers run; see docs/alerts.md',
    run: rotateKeys,
  },
  erase: {
    usage: '<number or email>   erases everything about a phone number or an email address, in any format',
    run: erase,
  },
  'vapid-key': { usage: '  prints a new VAPID_KEY, for servers that share a PostgreSQL', run: printVapidKey },
};

export const USAGE = Object.entries(ALERT_COMMANDS)
  .map(([name, { usage }]) => `npm run alerts -- ${name} ${usage}`)
  .join('\n');
