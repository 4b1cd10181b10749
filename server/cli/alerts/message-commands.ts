import { type ListedMessage, listMessages, type MessageFilter } from '../../alerts/status/message-list.ts';
import { giveUp, sendAgain } from '../../alerts/tables/messages.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { isAgreed, type Operation, wholeOption } from './operation.ts';

const PAGE = 500;

/** `messages`: one page of messages, or all of them. */
export async function showMessages(operation: Operation) {
  const { options, print, fail } = operation;
  const filter = readFilter(operation);
  const after = wholeOption(options.after);
  const limit = wholeOption(options.limit);
  if (filter === null || after === null || limit === null || limit === 0)
    return fail('Give a message by its number, and --after and --limit as whole numbers.');
  let last = after;
  let shown = 0;
  for (;;) {
    const page = await pageOf(operation, filter, last, options.all ? PAGE : limit);
    for (const message of page) print(options.json ? JSON.stringify(message) : line(message));
    shown += page.length;
    last = page.at(-1)?.id ?? last;
    if (!options.all || page.length < PAGE) break;
  }
  if (options.json) return;
  if (shown === 0) print('No message.');
  else if (!options.all && (await pageOf(operation, filter, last, 1)).length > 0)
    print(`More: --after ${last}`);
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
  const chosen = (await mapInOrder(states, (state) => everyMessage(operation, { ...filter, state }))).flat();
  if (chosen.length === 0) return print('No unknown or failed message matches.');
  const unknown = chosen.filter(({ state }) => state === 'unknown').length;
  const words = `${chosen.length} ${chosen.length === 1 ? 'message' : 'messages'}, ${unknown} of them with an unknown outcome`;
  if (options['dry-run']) {
    for (const message of chosen) print(line(message));
    return print(`Dry run: this would ${act} ${words}.`);
  }
  const doubt = act === 'send again' && unknown > 0 ? ' Those may have been sent already.' : '';
  if (!(await isAgreed(operation, `This will ${act} ${words}.${doubt}`))) return;
  const ids = chosen.map(({ id }) => id);
  const done = act === 'send again' ? await sendAgain(store, ids, now) : await giveUp(store, ids, now);
  print(act === 'send again' ? `${done} queued to be sent again.` : `${done} given up.`);
}

function readFilter({ words, options }: Operation): MessageFilter | null {
  const id = wholeOption(words[0] ?? null);
  if (words.length > 1 || (words[0] !== undefined && id === null)) return null;
  const { state, template, error } = options;
  return { id, state, template, error };
}

async function pageOf({ store }: Operation, filter: MessageFilter, after: number, limit: number) {
  return listMessages(store, filter, after, limit);
}

async function everyMessage(operation: Operation, filter: MessageFilter): Promise<ListedMessage[]> {
  const all: ListedMessage[] = [];
  for (;;) {
    const page = await pageOf(operation, filter, all.at(-1)?.id ?? 0, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

function line({ id, template, channel, state, error, tries, settledAt, createdAt }: ListedMessage): string {
  const at = new Date(settledAt ?? createdAt).toISOString().slice(0, 16);
  return `${String(id).padStart(8)}  ${at}  ${channel.padEnd(9)}${template.padEnd(8)}${state.padEnd(10)}${tries} tried  ${error ?? ''}`;
}
