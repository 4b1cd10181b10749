import * as v from 'valibot';
import { type Sender, senderOf } from '../records/sender.ts';
import type { ProviderEvent } from './message-provider.ts';
import { readableItems, textOrNull } from './readable-items.ts';

const words = (name: string) =>
  v.fallback(
    v.pipe(
      v.looseObject({ [name]: v.string() }),
      v.transform((held): string | null => held[name] ?? null),
    ),
    null,
  );

/** Seconds since 1970, as text or as a number, in milliseconds; null for anything else. */
const timestampMs = v.fallback(
  v.pipe(
    v.union([v.pipe(v.string(), v.regex(/^\d{1,12}$/)), v.pipe(v.number(), v.integer(), v.minValue(0))]),
    v.transform((seconds): number | null => Number(seconds) * 1_000),
  ),
  null,
);

const NO_BUTTON = { text: null, payload: null };

/** A button or list item of an interactive message: its ID is our payload. */
const pressed = v.fallback(
  v.pipe(
    v.object({ id: textOrNull, title: textOrNull }),
    v.transform(({ id, title }) => ({ text: title, payload: id })),
  ),
  NO_BUTTON,
);

const contact = v.object({ wa_id: textOrNull, user_id: textOrNull });

const message = v.object({
  id: v.string(),
  from: textOrNull,
  from_user_id: textOrNull,
  type: textOrNull,
  text: words('body'),
  timestamp: timestampMs,
  button: v.fallback(v.object({ text: textOrNull, payload: textOrNull }), NO_BUTTON),
  interactive: v.fallback(v.nullable(v.object({ button_reply: pressed, list_reply: pressed })), null),
  image: words('caption'),
  video: words('caption'),
  document: words('caption'),
});

const status = v.object({
  id: v.string(),
  status: v.string(),
  recipient_id: textOrNull,
  recipient_user_id: textOrNull,
  biz_opaque_callback_data: textOrNull,
  errors: readableItems(v.object({ code: v.union([v.number(), v.string()]) })),
});

const preference = v.object({
  wa_id: textOrNull,
  user_id: textOrNull,
  value: textOrNull,
  timestamp: timestampMs,
});

const value = v.object({
  contacts: readableItems(contact),
  messages: readableItems(message),
  statuses: readableItems(status),
  user_preferences: readableItems(preference),
});

const update = v.object({
  entry: readableItems(v.object({ changes: readableItems(v.object({ value })) })),
});

type Contacts = v.InferOutput<typeof value>['contacts'];

/** The events of all entries of a webhook's body; null if the body is not an update. */
export function readMetaUpdate(body: unknown): ProviderEvent[] | null {
  const read = v.safeParse(update, body);
  if (!read.success) return null;
  return read.output.entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ value: { contacts, messages, statuses, user_preferences } }) => [
      ...messages.flatMap((one) => messageEvents(one, contacts)),
      ...statuses.flatMap((one) => statusEvents(one, contacts)),
      ...user_preferences.flatMap((one) => preferenceEvents(one, contacts)),
    ]);
}

/** Types of messages that nobody has written. They are ignored. */
const NOT_WRITTEN = new Set(['reaction', 'system', 'unsupported', 'request_welcome']);

function messageEvents(one: v.InferOutput<typeof message>, contacts: Contacts): ProviderEvent[] {
  if (one.type !== null && NOT_WRITTEN.has(one.type)) return [];
  const { interactive } = one;
  const button =
    [one.button, interactive?.button_reply, interactive?.list_reply].find(
      (given) => given?.text != null || given?.payload != null,
    ) ?? NO_BUTTON;
  const text = one.text ?? button.text ?? one.image ?? one.video ?? one.document ?? '';
  return [
    {
      kind: 'message',
      id: one.id,
      sender: named([one.from, one.from_user_id], contacts),
      text,
      payload: button.payload,
      at: one.timestamp,
    },
  ];
}

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;

function statusEvents(one: v.InferOutput<typeof status>, contacts: Contacts): ProviderEvent[] {
  const known = STATUSES.find((name) => name === one.status);
  if (known === undefined) return [];
  const [error] = one.errors;
  return [
    {
      kind: 'status',
      id: `${one.id} ${known}`,
      token: one.biz_opaque_callback_data,
      messageId: one.id,
      status: known,
      code: error === undefined ? null : String(error.code),
      receiver: named([one.recipient_id, one.recipient_user_id], contacts),
    },
  ];
}

function preferenceEvents(one: v.InferOutput<typeof preference>, contacts: Contacts): ProviderEvent[] {
  if (one.value !== 'stop') return [];
  const sender = named([one.wa_id, one.user_id], contacts);
  const id = `preference ${sender.number ?? sender.userId} ${one.timestamp}`;
  return [{ kind: 'stop', id, sender, at: one.timestamp }];
}

/** Adds the names of the contact that shares a name with these, or of the only contact of an update. */
function named(names: readonly (string | null)[], contacts: Contacts): Sender {
  const shared = contacts.find(
    ({ wa_id, user_id }) =>
      (wa_id !== null && names.includes(wa_id)) || (user_id !== null && names.includes(user_id)),
  );
  const own = shared ?? (contacts.length === 1 ? contacts[0] : undefined);
  return senderOf(...names, own?.wa_id, own?.user_id);
}
