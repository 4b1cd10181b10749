import { composeMessage } from '../../alerts/delivery/compose-message.ts';
import { findMessage } from '../../alerts/delivery/queued-message.ts';
import { giveUp, sendAgain } from '../../alerts/delivery/requeue.ts';
import { renderWhatsApp } from '../../alerts/rendering/whatsapp-message.ts';
import { type ListedMessage, listMessages, type MessageFilter } from '../../alerts/status/message-list.ts';
import { isConfirmed, type Operation, wholeOption } from './operation.ts';

/** Invented contacts, so that previews show no real ones. */
const SOMEBODY = { whatsapp: '447700900000', email: 'somebody@example.com', push: '{}' };

const PAGE = 500;

/** `messages`: one page of messages, or all of them. */
export function showMessages(operation: Operation) {
  const { options, print, fail } = operation;
  const filter = readFilter(operation);
  const after = wholeOption(options.after);
  const limit = wholeOption(options.limit);
  if (filter === null || after === null || limit === null || limit === 0)
    return fail('Give a message by its number, and --after and --limit as whole numbers.');
  let last = after;
  let shown = 0;
  for (;;) {
    const page = pageOf(operation, filter, last, options.all ? PAGE : limit);
    for (const message of page) print(options.json ? JSON.stringify(message) : line(message));
    shown += page.length;
    last = page.at(-1)?.id ?? last;
    if (!options.all || page.length < PAGE) break;
  }
  if (options.json) return;
  if (shown === 0) print('No message.');
  else if (!options.all && pageOf(operation, filter, last, 1).length > 0) print(`More: --after ${last}`);
}

/** `send-again` and `give-up`, for one message or for all that the options select. */
export async function actOnMessages(operation: Operation, act: 'send again' | 'give up') {
  const { store, options, print, fail, now } = operation;
  const filter = readFilter(operation);
  if (filter === null || (filter.id === null && !options.all))
    return fail(
      'Name one message by its number, or all of them with --all and --state, --template or --error.',
    );
  if (filter.state !== null && filter.state !== 'unknown' && filter.state !== 'failed')
    return fail(`Only unknown and failed messages can be chosen (got --state ${filter.state}).`);
  const states = filter.state === null ? ['unknown', 'failed'] : [filter.state];
  const chosen = states.flatMap((state) => everyMessage(operation, { ...filter, state }));
  if (chosen.length === 0) return print('No unknown or failed message matches.');
  const unknown = chosen.filter(({ state }) => state === 'unknown').length;
  const words = `${chosen.length} ${chosen.length === 1 ? 'message' : 'messages'}, ${unknown} of them with an unknown outcome`;
  if (options['dry-run']) {
    for (const message of chosen) print(line(message));
    return print(`Dry run: this would ${act} ${words}.`);
  }
  const doubt = act === 'send again' && unknown > 0 ? ' Those may have been sent already.' : '';
  if (!(await isConfirmed(operation, `This will ${act} ${words}.${doubt} Continue?`))) return;
  const ids = chosen.map(({ id }) => id);
  const done = act === 'send again' ? sendAgain(store, ids, now) : giveUp(store, ids, now);
  print(act === 'send again' ? `${done} queued to be sent again.` : `${done} given up.`);
}

/** `preview`: a message as it would be sent now. */
export function preview({ store, providerOf, config, words, now, print, fail }: Operation) {
  const id = wholeOption(words[0]);
  const message = id === null ? null : findMessage(store, id);
  if (message === null) return fail(`There is no message ${words[0] ?? ''}. \`messages\` lists them.`);
  const provider = providerOf(message.channel);
  if (provider === null) return fail(`Messages by ${message.channel} are not set up here.`);
  const { sending, siteUrl } = config;
  const limits = { ...sending, numberEveryMs: 0 };
  const context = { store, provider, limits, quietHours: null, siteUrl, links: null, now: () => now };
  const composition = composeMessage(context, { ...message, hurried: 1 }, now);
  if (composition.kind !== 'ready') {
    return print(
      composition.kind === 'wait'
        ? `It would wait until ${new Date(composition.until).toISOString()}.`
        : `It would not be sent: ${composition.reason}.`,
    );
  }
  const { channel } = provider;
  const outgoing = {
    token: 'preview',
    to: SOMEBODY[channel],
    // Zero belongs to no contact, so links in a preview do nothing.
    contact: 0,
    contactSince: 0,
    watch: message.watch,
    createdAt: message.created_at,
    form: message.form,
    body: channel === 'whatsapp' ? renderWhatsApp(composition.body, previewLink(siteUrl)) : composition.body,
  };
  print(`${outgoing.body.text}\n\nAs ${provider.name} receives it:\n${provider.preview(outgoing)}`);
}

function previewLink(siteUrl: string | null): string | null {
  return siteUrl === null ? null : `${siteUrl}/my-alerts?token=...`;
}

function readFilter({ words, options }: Operation): MessageFilter | null {
  const id = wholeOption(words[0]);
  if (words.length > 1 || (words[0] !== undefined && id === null)) return null;
  return {
    id,
    state: options.state ?? null,
    template: options.template ?? null,
    error: options.error ?? null,
  };
}

function pageOf({ store, providerOf }: Operation, filter: MessageFilter, after: number, limit: number) {
  return listMessages(store, providerOf, filter, after, limit);
}

function everyMessage(operation: Operation, filter: MessageFilter): ListedMessage[] {
  const all: ListedMessage[] = [];
  for (;;) {
    const page = pageOf(operation, filter, all.at(-1)?.id ?? 0, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

function line({
  id,
  template,
  channel,
  state,
  error,
  class: turn,
  tries,
  settledAt,
  createdAt,
}: ListedMessage): string {
  const at = new Date(settledAt ?? createdAt).toISOString().slice(0, 16);
  const why = [error, turn].filter((part) => part !== null).join(', ');
  return `${String(id).padStart(8)}  ${at}  ${channel.padEnd(9)}${template.padEnd(8)}${state.padEnd(10)}${tries} tried  ${why}`;
}
