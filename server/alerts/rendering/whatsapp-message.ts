import type { MessageText } from '../tables/messages.ts';

/** A template's last variable if there is no site URL. */
const WITHOUT_LINK = 'reply LIST';

/**
 * Adds the link to the page of the person's alerts: as a template's last variable, or as a line of free text.
 * `manage` is null without a site URL, and in the reply to a STOP. `text` becomes what WhatsApp shows.
 */
export function renderWhatsApp(body: MessageText, manage: string | null): MessageText {
  const way = manage === null ? WITHOUT_LINK : `open ${manage}`;
  const line = `\n\nTo see or change your alerts, ${way} at any time.`;
  if (body.template !== 'reply')
    return { ...body, parameters: [...body.parameters, way], text: `${body.text}${line}` };
  const hasLink = manage === null || body.text.includes(manage);
  return hasLink ? body : { ...body, text: `${body.text}${line}` };
}
