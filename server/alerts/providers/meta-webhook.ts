import * as v from 'valibot';
import type { TemplateName } from '../tables/messages.ts';
import { type Sender, senderOf } from '../tables/sender.ts';
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

/** Seconds since 1970 as milliseconds; null for anything else. */
const timestampMs = v.fallback(
  v.pipe(
    v.union([v.pipe(v.string(), v.regex(/^\d{1,12}$/)), v.pipe(v.number(), v.integer(), v.minValue(0))]),
    v.transform((seconds): number | null => Number(seconds) * 1_000),
  ),
  null,
);

const NO_BUTTON = { text: null, payload: null };

/** A pressed button or list item of an interactive message. Its ID is the payload that we sent. */
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
  system: v.fallback(
    v.nullable(
      v.object({
        type: textOrNull,
        wa_id: textOrNull,
        new_wa_id: textOrNull,
        user_id: textOrNull,
        previous_user_id: textOrNull,
      }),
    ),
    null,
  ),
});

const status = v.object({
  id: v.string(),
  status: v.string(),
  recipient_id: textOrNull,
  recipient_user_id: textOrNull,
  biz_opaque_callback_data: textOrNull,
  errors: readableItems(v.object({ code: v.union([v.number(), v.string()]) })),
  pricing: v.fallback(
    v.nullable(v.object({ billable: v.optional(v.boolean(), true), category: textOrNull, type: textOrNull })),
    null,
  ),
});

const preference = v.object({
  wa_id: textOrNull,
  user_id: textOrNull,
  value: textOrNull,
  timestamp: timestampMs,
});

/** Fields of updates about templates and the sending number. */
const account = {
  event: textOrNull,
  reason: textOrNull,
  message_template_name: textOrNull,
  message_template_language: textOrNull,
  new_quality_score: textOrNull,
  new_category: textOrNull,
  alert_type: textOrNull,
  alert_severity: textOrNull,
  alert_description: textOrNull,
  entity_type: textOrNull,
  violation_info: words('violation_type'),
  restriction_info: readableItems(v.object({ restriction_type: v.string() })),
  ban_info: words('waba_ban_state'),
  current_limit: textOrNull,
  display_phone_number: textOrNull,
};

const value = v.object({
  ...account,
  metadata: v.fallback(v.object({ phone_number_id: textOrNull }), { phone_number_id: null }),
  contacts: readableItems(contact),
  messages: readableItems(message),
  statuses: readableItems(status),
  user_preferences: readableItems(preference),
});

const update = v.object({
  entry: readableItems(
    v.object({
      time: v.fallback(v.nullable(v.union([v.number(), v.string()])), null),
      changes: readableItems(v.object({ field: textOrNull, value })),
    }),
  ),
});

type Value = v.InferOutput<typeof value>;

interface Account {
  phoneNumberId: string;
  templates: Readonly<Record<TemplateName, string>>;
  language: string;
}

type Contact = v.InferOutput<typeof contact>;

/** The events in a webhook's body; null if unreadable. Skips events about other numbers and languages. */
export function readMetaUpdate(body: unknown, own: Account): ProviderEvent[] | null {
  const read = v.safeParse(update, body);
  if (!read.success) return null;
  return read.output.entry.flatMap(({ time, changes }) =>
    changes.flatMap(({ field, value: changed }) => {
      const { phone_number_id: phoneNumberId } = changed.metadata;
      if (phoneNumberId !== null && phoneNumberId !== own.phoneNumberId) return [];
      const language = changed.message_template_language;
      if (language !== null && language !== own.language) return [];
      const { contacts } = changed;
      return [
        ...changed.messages.flatMap((one) => messageEvents(one, contacts)),
        ...changed.statuses.flatMap((one) => statusEvents(one, contacts)),
        ...changed.user_preferences.flatMap((one) => preferenceEvents(one, contacts)),
        ...accountEvents(field, changed, String(time), own),
      ];
    }),
  );
}

/** Events about the account. Meta sends no ID for them, so the entry's time is part of ours. */
function accountEvents(field: string | null, changed: Value, time: string, own: Account): ProviderEvent[] {
  const { event, reason, message_template_name: name, new_quality_score: score } = changed;
  const notify = (text: string): ProviderEvent[] => [{ kind: 'account', id: `${text} ${time}`, text }];
  const report = (subject: string, ...said: (string | null)[]) =>
    notify(
      `The provider reports about the ${subject}: ${said.filter(Boolean).join(', ')}. Look at it in the provider's console.`,
    );
  switch (field ?? '') {
    case 'message_template_status_update': {
      const template = templateNamed(own, name);
      if (template === null || event === null) return [];
      const id = `${name} ${event} ${time}`;
      return [{ kind: 'template', id, template, state: event, reason: reason === 'NONE' ? null : reason }];
    }
    case 'message_template_quality_update':
      return name === null || score === null ? [] : notify(`Quality of template ${name}: ${score}`);
    case 'phone_number_quality_update': {
      const { current_limit, display_phone_number: number } = changed;
      const state = [event, current_limit].filter((part) => part !== null).join(', ');
      return state === '' ? [] : notify(`Quality of number ${number ?? ''}: ${state}`);
    }
    case 'template_category_update':
      if (name === null || changed.new_category === null) return [];
      return notify(
        `The provider moved the template '${name}' to the category ${changed.new_category}: its messages have that category's price and limits. Ask for a review, or change its text.`,
      );
    case 'account_update': {
      const { violation_info, ban_info, restriction_info } = changed;
      const restrictions = restriction_info.map(({ restriction_type }) => restriction_type);
      return event === null ? [] : report('account', event, violation_info, ban_info, ...restrictions);
    }
    case 'account_alerts': {
      const { alert_type, alert_severity, alert_description, entity_type } = changed;
      const state = alert_type ?? alert_severity;
      const subject = (entity_type ?? 'account').toLowerCase().replaceAll('_', ' ');
      return state === null ? [] : report(subject, state, alert_description);
    }
    default:
      return [];
  }
}

/** Which of our templates has this name at Meta; null if none has. */
function templateNamed({ templates }: Account, name: string | null): TemplateName | null {
  const found = Object.entries(templates).find(([, own]) => own === name);
  return found === undefined ? null : (found[0] as TemplateName);
}

/** Types of messages that people do not write. */
const NOT_WRITTEN = new Set(['reaction', 'system', 'unsupported', 'request_welcome']);

/** A new number comes with a new user ID. For users who hide their number, Meta sends only the ID. */
const NUMBER_CHANGES = new Set(['user_changed_number', 'user_changed_user_id']);

function messageEvents(one: v.InferOutput<typeof message>, contacts: readonly Contact[]): ProviderEvent[] {
  if (one.system !== null && NUMBER_CHANGES.has(one.system.type ?? '')) {
    const { wa_id, new_wa_id, user_id, previous_user_id } = one.system;
    const sender = senderOf(one.from, previous_user_id, one.from_user_id);
    return [{ kind: 'number changed', id: one.id, sender, to: senderOf(wa_id, new_wa_id, user_id) }];
  }
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

function statusEvents(one: v.InferOutput<typeof status>, contacts: readonly Contact[]): ProviderEvent[] {
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
      category: categoryOf(one.pricing),
      receiver: named([one.recipient_id, one.recipient_user_id], contacts),
    },
  ];
}

function categoryOf(pricing: v.InferOutput<typeof status>['pricing']): string | undefined {
  if (pricing === null) return undefined;
  if (!pricing.billable || pricing.type?.startsWith('free') === true) return 'free';
  return pricing.category?.toLowerCase();
}

function preferenceEvents(
  one: v.InferOutput<typeof preference>,
  contacts: readonly Contact[],
): ProviderEvent[] {
  if (one.value !== 'stop') return [];
  const sender = named([one.wa_id, one.user_id], contacts);
  const id = `preference ${sender.number ?? sender.userId} ${one.timestamp}`;
  return [{ kind: 'stop', id, sender, at: one.timestamp }];
}

/** Makes a sender of these numbers and IDs, and those of the contact that shares one, or of the only contact. */
function named(names: readonly (string | null)[], contacts: readonly Contact[]): Sender {
  const isOf = (name: string | null) => name !== null && names.includes(name);
  const shared = contacts.find(({ wa_id, user_id }) => isOf(wa_id) || isOf(user_id));
  const own = shared ?? (contacts.length === 1 ? contacts[0] : undefined);
  return senderOf(...names, own?.wa_id, own?.user_id);
}
