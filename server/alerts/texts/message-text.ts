import { formatLongDate } from '../../../domain/day-words.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { type Party, partyWords } from '../../../domain/party.ts';
import { clockTime, type QuietHours } from '../../../domain/quiet-hours.ts';
import type { MessageButton, MessageText } from '../tables/messages.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { nameInMessage } from './name-in-message.ts';

/**
 * The templates as registered with a provider (docs/alerts.md), without the link that `renderWhatsApp` adds.
 * Providers allow parameters of one line only, and none at the start or end of a template.
 */
export const TEMPLATES: Readonly<Record<MessageText['template'], string>> = {
  confirm:
    "This is {{1}}. Someone asked us to send price alerts for this holiday to this number:\n\n{{2}}\n\nIt costs {{3}} now. Reply YES and we'll tell you when its price, or a similar one, drops: one message a day at most. If you don't reply, we won't message you again. Reply STOP and we'll never message this number.",
  welcome:
    "This is {{1}}. We're watching this holiday for you:\n\n{{2}}\n\nIt costs {{3}} now. We'll tell you when its price, or a similar one, drops: one message a day at most. Reply STOP to unsubscribe or LIST to see your alerts.",
  drop: 'Price drop to {{2}}, from {{3}}:\n\n{{1}}\n\n{{4}} See it here: {{5}}\n\nSimilar holidays: {{6}}\n\nPrices change quickly. Reply STOP to unsubscribe or LIST to see your alerts.',
  reply: 'From {{1}}: {{2}}\n\nReply STOP to end all alerts.',
};

export const STOPPED = "You're unsubscribed. You won't hear from us again.";
export const ERASED = "We've deleted your data. You won't hear from us again.";
export const ASK_STOP =
  'Do you want to stop all your alerts? Reply STOP to stop them all or KEEP to keep them.';
export const ASK_WHICH = 'To stop only one, reply with its number.';
export const ASK_DELETE =
  "Do you want us to delete everything we know about you? Your alerts will stop, and we can't undo it. Reply YES to delete it or KEEP to keep it.";
export const KEPT = 'Your alerts are still on.';
export const DECLINED = "OK, we won't start that alert.";
export const WATCHING_NOTHING = 'You have no price alerts.';
export const COMMANDS =
  'Reply STOP and a number to stop one alert, STOP to stop them all or LIST to see them.';
export const STARTED =
  "We'll tell you when one of them, or a similar holiday, drops in price: one message a day at most.";
export const WHICH_WATCH = 'Which one? Reply STOP and its number.';
export const NOT_ON_SALE = "That holiday isn't on sale at the moment.";

export const ASK_STOP_BUTTONS: readonly MessageButton[] = [
  { title: 'Stop all alerts', payload: 'stop' },
  { title: 'Keep them', payload: 'keep' },
];

export const ASK_DELETE_BUTTONS: readonly MessageButton[] = [
  { title: 'Delete my data', payload: 'delete' },
  { title: 'Keep my data', payload: 'keep' },
];

export function dataLines(ownPage: string | null, siteUrl: string | null): string[] {
  return [
    'We use your number for your price alerts only.',
    ownPage === null
      ? 'To have your data deleted, reply DELETE.'
      : `See, download or delete everything we know about you: ${ownPage}`,
    ...(siteUrl === null ? [] : [`Our privacy notice: ${siteUrl}/privacy`]),
  ];
}

export function quietLines(quiet: QuietHours): string[] {
  return quiet === null
    ? []
    : [`We don't send alerts between ${clockTime(quiet.from)} and ${clockTime(quiet.until)}.`];
}

export function helpLines(brandName: string): string[] {
  return [
    `This is ${brandName}'s holiday price alerts, an automated service.`,
    COMMANDS,
    'To have your data deleted, reply DELETE.',
  ];
}

export function confirmText(brandName: string, watched: PackageOnSale): MessageText {
  return fill('confirm', [brandName, describePackage(watched), formatWholePounds(watched.price)]);
}

export function welcomeText(brandName: string, watched: PackageOnSale): MessageText {
  return fill('welcome', [brandName, describePackage(watched), formatWholePounds(watched.price)]);
}

export interface Dropped {
  onSale: PackageOnSale;
  was: Pence;
}

export interface DropFacts {
  /** The number that the person sees in LIST. */
  watchNumber: number;
  /** The person's price limit; null means an alert about every drop. */
  below: Pence | null;
  dropped: Dropped;
  /** Similar packages that have also dropped: at most three, the best first. */
  similar: readonly Dropped[];
  /** The lowest price of the last `days` days; null if there is none. */
  low: { price: Pence; days: number } | null;
  /** Links to the package's search, the best first and the shortest last; empty without a site URL. */
  links: readonly string[];
}

/** The most characters of a price alert. A WhatsApp template may have 1,024, with the link to the alerts. */
const MAX_DROP = 850;

/** A price alert with as many similar packages as fit, and the best link that fits. */
export function fittingDropText(facts: DropFacts): { body: MessageText; named: number } {
  // The last two links are only for messages that are too long even without similar packages.
  const marked = facts.links.length === 0 ? [undefined] : facts.links.slice(0, -2);
  for (let named = facts.similar.length; named > 0; named -= 1) {
    for (const link of marked) {
      const body = dropText({ ...facts, similar: facts.similar.slice(0, named) }, link);
      if (body.text.length <= MAX_DROP) return { body, named };
    }
  }
  const [best, ...shorter] = facts.links;
  const alone = { ...facts, similar: [] };
  let body = dropText(alone, best);
  for (const link of shorter) {
    if (body.text.length <= MAX_DROP) break;
    body = dropText(alone, link);
  }
  return { body, named: 0 };
}

function dropText(
  { watchNumber, below, dropped, similar, low }: DropFacts,
  link: string | undefined,
): MessageText {
  const { onSale, was } = dropped;
  const named = similar.map(similarWords);
  const body = fill('drop', [
    describePackage(onSale),
    formatWholePounds(onSale.price),
    formatWholePounds(was),
    `${limitWords(below)}${lowWords(low, onSale.price)}`,
    link ?? providerLink(onSale),
    named.length === 0 ? 'none have dropped.' : `${named.join('; ')}.`,
  ]);
  const text = named.length === 0 ? body.text.replace(/Similar holidays: [^\n]*\n\n/, '') : body.text;
  return {
    ...body,
    similar: named,
    text: text.replace(' See it here: ', '\nSee it here: ').replace(/; /g, ';\n'),
    buttons: [
      { title: 'See it', payload: `see:${watchNumber}` },
      { title: 'Stop this one', payload: `stop:${watchNumber}` },
      { title: 'Stop all', payload: 'stop' },
    ],
  };
}

function similarWords({ onSale, was }: Dropped): string {
  const { hotelName, airportName, departure, boardWords, price } = onSale;
  return `${nameInMessage(hotelName)}, ${boardWords}, from ${airportName} on ${formatLongDate(departure)}: ${formatWholePounds(price)}, was ${formatWholePounds(was)}`;
}

function limitWords(below: Pence | null): string {
  return below === null ? '' : `You asked for prices below ${formatWholePounds(below)}. `;
}

function lowWords(low: DropFacts['low'], price: Pence): string {
  if (low === null) return "It's the first price drop we've seen.";
  const days = low.days === 1 ? 'the last day' : `the last ${low.days} days`;
  const amount = formatWholePounds(Math.min(low.price, price));
  return low.price >= price ? `${amount} is the lowest of ${days}.` : `The lowest of ${days}: ${amount}.`;
}

/** In characters. Feeds may have links of up to 2,000. */
const MAX_PROVIDER_LINK = 350;

function providerLink({ link, providerName }: PackageOnSale): string {
  return link === '' || link.length > MAX_PROVIDER_LINK ? `on ${providerName}'s site` : link;
}

export function seeLines(onSale: PackageOnSale, link: string | null): string[] {
  return [
    `${describePackage(onSale)}: ${formatWholePounds(onSale.price)} now.`,
    link ?? providerLink(onSale),
  ];
}

/** The longest template parameter that providers accept, in characters. */
const MAX_PARAMETER = 900;

/** A reply. As a template, its lines are joined into one and truncated. */
export function replyText(
  brandName: string,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): MessageText {
  const joined = lines.filter((line) => line !== '').join(' ');
  const cut = joined.length <= MAX_PARAMETER ? joined : `${joined.slice(0, MAX_PARAMETER - 1)}…`;
  return { ...fill('reply', [brandName, cut]), text: lines.join('\n'), buttons: [...buttons] };
}

type DescribedPackage = Pick<
  PackageOnSale,
  'hotelName' | 'resort' | 'nights' | 'boardWords' | 'airportName' | 'departure' | 'party'
>;

/** 'Hotel Sol, Benidorm: 7 nights, Half Board, from London Gatwick on 1st May 2027, for 2 adults'. */
export function describePackage(watched: DescribedPackage): string {
  return `${packageName(watched)}: ${packageDetails(watched)}`;
}

/** 'Hotel Sol, Benidorm'. */
export function packageName({ hotelName, resort }: DescribedPackage): string {
  return `${nameInMessage(hotelName)}, ${nameInMessage(resort)}`;
}

/** '7 nights, Half Board, from London Gatwick on 1st May 2027, for 2 adults'. */
export function packageDetails(watched: DescribedPackage): string {
  const { nights, boardWords, airportName, departure, party } = watched;
  return `${nights} nights, ${boardWords}, from ${airportName} on ${formatLongDate(departure)}, for ${partyWords(partyOf(party))}`;
}

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
  return { template, parameters, text, buttons: [], similar: [] };
}
