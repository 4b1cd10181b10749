import type { MessageText } from '../tables/messages.ts';

/** What the last variable of the templates says where our own address is not set. */
const WITHOUT_LINK = 'reply LIST';

/**
 * Adds the link to the person's own alerts to a WhatsApp message. It is a template's last variable, before its buttons;
 * free text gets a line more. `manage` is null without our own address, and in the answer to a STOP.
 */
export function renderWhatsApp(body: MessageText, manage: string | null): MessageText {
  const way = manage === null ? WITHOUT_LINK : `open ${manage}`;
  const line = `\n\nTo see or change your alerts, ${way} at any time.`;
  if (body.template === 'reply') return manage === null ? body : { ...body, text: `${body.text}${line}` };
  return { ...body, parameters: [...body.parameters, way], text: `${body.text}${line}` };
}
