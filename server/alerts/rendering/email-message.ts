import type { MessageText } from '../tables/messages.ts';
import { type EmailPart, emailHtml } from './email-html.ts';
import type { MessageLinks } from './message-links.ts';

/** An email: the same content as text and as HTML. */
export interface EmailMessage {
  subject: string;
  text: string;
  html: string;
}

/** Writes a message as an email, with the same facts as on other channels. */
export function renderEmail(brandName: string, body: MessageText, links: MessageLinks): EmailMessage {
  const { subject, parts } = contentOf(brandName, body, links);
  return {
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 180),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: emailHtml({ subject, brandName, parts }),
  };
}

interface Content {
  subject: string;
  parts: EmailPart[];
}

function contentOf(brandName: string, body: MessageText, links: MessageLinks): Content {
  const own = ownLinks(links);
  switch (body.template) {
    case 'confirm': {
      const [, holiday = '', price = ''] = body.parameters;
      return {
        subject: `Confirm your price alert: ${nameIn(holiday)}`,
        parts: [
          words(
            `This is ${brandName}. Someone asked us to send price alerts for this holiday to this address. It costs ${price} now.`,
          ),
          { kind: 'holiday', text: holiday },
          words(
            "Confirm, and we'll email you when its price, or a similar one, drops: one email a day at most.",
          ),
          { kind: 'button', label: 'Yes, watch it', href: links.confirm },
          words("If you didn't ask for this, ignore this email. You won't hear from us again."),
          {
            kind: 'links',
            links: [
              { label: 'Never email this address', href: links.stopAll },
              { label: MANAGE, href: links.manage },
            ],
          },
        ],
      };
    }
    case 'welcome': {
      const [, holiday = '', price = ''] = body.parameters;
      return {
        subject: `Watching ${nameIn(holiday)}`,
        parts: [
          words(`This is ${brandName}. We're watching this holiday for you. It costs ${price} now.`),
          { kind: 'holiday', text: holiday },
          words("We'll email you when its price, or a similar one, drops: one email a day at most."),
          own,
        ],
      };
    }
    case 'drop': {
      const [holiday = '', price = '', was = '', low = '', link = ''] = body.parameters;
      const similar: EmailPart[] =
        body.similar.length === 0
          ? []
          : [{ kind: 'list', title: 'Similar holidays have dropped too', items: body.similar }];
      const see: EmailPart = /^https?:/.test(link)
        ? { kind: 'button', label: 'See it', href: link }
        : words(`See it ${link}.`);
      return {
        subject: `Price drop to ${price}, from ${was}: ${nameIn(holiday)}`,
        parts: [
          { kind: 'heading', text: `Price drop to ${price}, from ${was}` },
          { kind: 'holiday', text: holiday },
          words(low),
          see,
          ...similar,
          words('Prices change quickly.'),
          own,
        ],
      };
    }
    case 'reply':
      return { subject: `From ${brandName}`, parts: [words(body.text), own] };
  }
}

function words(text: string): EmailPart {
  return { kind: 'words', text };
}

const MANAGE = 'See or change your alerts';

function ownLinks({ stopThis, stopAll, manage }: MessageLinks): EmailPart {
  const all = [
    { label: 'Stop all emails', href: stopAll },
    { label: MANAGE, href: manage },
  ];
  return {
    kind: 'links',
    links: stopThis === stopAll ? all : [{ label: 'Stop this one', href: stopThis }, ...all],
  };
}

/** The hotel and resort at the start of a description. */
function nameIn(holiday: string): string {
  return holiday.split(':', 1)[0] ?? holiday;
}

function textOf(part: EmailPart): string {
  switch (part.kind) {
    case 'heading':
    case 'words':
    case 'holiday':
      return part.text;
    case 'button':
      return `${part.label}: ${part.href}`;
    case 'list':
      return `${part.title}:\n${part.items.map((item) => `- ${item}`).join('\n')}`;
    case 'links':
      return part.links.map(({ label, href }) => `${label}: ${href}`).join('\n');
  }
}
