import type { MessageText } from '../tables/messages.ts';
import { type EmailPart, emailHtml } from './email-html.ts';
import type { LinkMaker, MessageLinks } from './message-links.ts';

/** What emails and notifications need beside their message. */
export interface EmailWriting {
  brandName: string;
  links: LinkMaker;
  /** Who sends the emails, with a postal address, as far as it is set. */
  operator: string | null;
  privacyUrl: string;
}

/** An email: the same content as text and as HTML. */
export interface EmailMessage {
  subject: string;
  text: string;
  html: string;
}

/** Writes a message as an email, with the same facts as on other channels. */
export function renderEmail(writing: EmailWriting, body: MessageText, links: MessageLinks): EmailMessage {
  const { brandName } = writing;
  const { subject, parts: own } = contentOf(brandName, body, links);
  const parts = [...own, ...imprint(writing, body)];
  return {
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 180),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: emailHtml({ subject, brandName, parts }),
  };
}

/** Who writes, why the person gets the email, and what happens with their data. */
function imprint(
  { brandName, operator, privacyUrl }: EmailWriting,
  { template, root }: MessageText,
): EmailPart[] {
  const who = operator === null ? `${brandName} sends these emails.` : `${operator} runs ${brandName}.`;
  const asked = template === 'confirm' ? 'someone asked' : 'you asked';
  return [
    {
      kind: 'small',
      text: `You get this email because ${asked} ${brandName} for price alerts to this address. ${who}`,
    },
    {
      kind: 'links',
      links: [
        { label: 'How we look after your data', href: privacyUrl },
        ...(root === undefined
          ? []
          : [{ label: `Price record ${root}`, href: new URL('/price-record', privacyUrl).href }]),
      ],
    },
  ];
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
      const [holiday = '', price = '', was = '', link = ''] = body.parameters;
      const others: EmailPart[] =
        body.others.length === 0 ? [] : [{ kind: 'list', title: 'Other price drops', items: body.others }];
      const see: EmailPart = /^https?:/.test(link)
        ? { kind: 'button', label: 'See it', href: link }
        : words(`See it ${link}.`);
      return {
        subject: `Price drop to ${price}, from ${was}: ${nameIn(holiday)}`,
        parts: [
          { kind: 'heading', text: `Price drop to ${price}, from ${was}` },
          { kind: 'holiday', text: holiday },
          see,
          ...others,
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
    case 'small':
      return part.text;
    case 'button':
      return `${part.label}: ${part.href}`;
    case 'list':
      return `${part.title}:\n${part.items.map((item) => `- ${item}`).join('\n')}`;
    case 'links':
      return part.links.map(({ label, href }) => `${label}: ${href}`).join('\n');
  }
}
