import * as v from 'valibot';
import { formatLongDate } from '../../../domain/calendar-date.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { type Party, partyWords } from '../../../domain/party.ts';
import type { PackageOnSale } from './package-lookup.ts';

/** A message: its template, the template's parameters in order, and the full text. */
export type MessageText = v.InferOutput<typeof messageText>;

export const messageText = v.object({
  template: v.picklist(['confirm', 'welcome', 'drop', 'reply']),
  parameters: v.array(v.string()),
  text: v.string(),
});

/**
 * The templates, as registered with a provider (docs/alerts.md). A parameter is a single line, because providers reject
 * line breaks in it.
 */
export const TEMPLATES: Readonly<Record<MessageText['template'], string>> = {
  confirm:
    'This is {{1}}. This number was given to us for price alerts on this holiday:\n\n{{2}}\n\nIt costs {{3}} now. Reply YES to get a message when it or a similar holiday drops in price, at most one a day. Reply STOP, or nothing, and you will not hear from us.',
  welcome:
    'This is {{1}}. We are watching this holiday for you:\n\n{{2}}\n\nIt costs {{3}} now. You get a message when it or a similar holiday drops in price, at most one a day. Reply STOP to end it, LIST to see what you are watching.',
  drop: 'Price drop to {{2}}, from {{3}}:\n\n{{1}}\n\nSee it here: {{4}}\n\nPrices change quickly. Reply STOP to end all alerts, LIST to see what you are watching.',
  reply: 'From {{1}}: {{2}}\n\nReply STOP to end all alerts.',
};

export function confirmText(brandName: string, watched: PackageOnSale): MessageText {
  return fill('confirm', [brandName, describePackage(watched), formatWholePounds(watched.price)]);
}

export function welcomeText(brandName: string, watched: PackageOnSale): MessageText {
  return fill('welcome', [brandName, describePackage(watched), formatWholePounds(watched.price)]);
}

/** `others` is the number of similar packages that have dropped too. */
export function dropText(dropped: PackageOnSale, was: Pence, others: number): MessageText {
  const more =
    others === 0 ? '' : ` (${others} similar ${others === 1 ? 'holiday has' : 'holidays have'} dropped too)`;
  return fill('drop', [
    describePackage(dropped),
    formatWholePounds(dropped.price),
    `${formatWholePounds(was)}${more}`,
    dropped.link === '' ? `on the site of ${dropped.providerName}` : dropped.link,
  ]);
}

/** The longest template parameter that providers accept, in characters. */
const LONGEST_PARAMETER = 900;

/** A reply. As a template, its lines are joined into one and truncated. */
export function replyText(brandName: string, lines: readonly string[]): MessageText {
  const joined = lines.join(' ');
  const cut = joined.length <= LONGEST_PARAMETER ? joined : `${joined.slice(0, LONGEST_PARAMETER - 1)}…`;
  return { ...fill('reply', [brandName, cut]), text: lines.join('\n') };
}

type DescribedPackage = Pick<
  PackageOnSale,
  'hotelName' | 'resort' | 'nights' | 'boardWords' | 'airportName' | 'departure' | 'party'
>;

/** 'Hotel Sol, Benidorm: 7 nights, Half Board, from London Gatwick on 1st May 2027, for 2 adults'. */
export function describePackage(watched: DescribedPackage): string {
  const { hotelName, resort, nights, boardWords, airportName, departure, party } = watched;
  return `${hotelName}, ${resort}: ${nights} nights, ${boardWords}, from ${airportName} on ${formatLongDate(departure)}, for ${partyWords(partyOf(party))}`;
}

/** Parses a `partyCode`. */
function partyOf(code: string): Party {
  const [adults = 0, children = 0, infants = 0] = code.split('-').map(Number);
  return { adults, children, infants };
}

function fill(template: MessageText['template'], values: readonly string[]): MessageText {
  const parameters = values.map((value) => value.replace(/\s+/g, ' ').trim());
  const text = TEMPLATES[template].replace(
    /\{\{(\d)\}\}/g,
    (_whole, place) => parameters[Number(place) - 1] ?? '',
  );
  return { template, parameters, text };
}
