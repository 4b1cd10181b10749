import * as v from 'valibot';

/** A message's template with parameters, full text, and quick-reply buttons. */
export type MessageText = v.InferOutput<typeof messageText>;

/** A quick-reply button. Pressing it sends its payload. */
export interface MessageButton {
  /** At most 20 characters: providers reject longer ones. */
  title: string;
  payload: string;
}

export const messageText = v.object({
  template: v.picklist(['confirm', 'welcome', 'drop', 'reply']),
  parameters: v.array(v.string()),
  /** What WhatsApp shows: the template with its parameters, or a reply's free text. */
  text: v.string(),
  /** At most three. The buttons of a template are registered with it. */
  buttons: v.optional(v.array(v.object({ title: v.string(), payload: v.string() })), []),
  /** Other holidays that have also dropped in price, for channels that list them. */
  others: v.optional(v.array(v.string()), []),
  /** The beginning of the price record's root, in price alerts. */
  root: v.optional(v.string()),
});

export type MessageKind = MessageText['template'];

/** The templates registered with a provider of WhatsApp messages. Replies are free text. */
export type TemplateName = Exclude<MessageKind, 'reply'>;

const storedText = v.pipe(v.string(), v.parseJson(), messageText);

/** Parses the text of a stored message; null if it is not composed yet. */
export function readText(body: unknown): MessageText | null {
  return typeof body === 'string' ? v.parse(storedText, body) : null;
}
