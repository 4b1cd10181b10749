import { chargeWords } from '../../../domain/charge-words.ts';
import { formatLongDate } from '../../../domain/day-words.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { type Party, partyWords } from '../../../domain/party.ts';
import type { MessageButton, MessageText, TemplateName } from '../tables/messages.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { nameInMessage } from './name-in-message.ts';

/**
 * The templates as registered with a provider (docs/alerts.md), without the link that `renderWhatsApp` adds.
 * Providers allow parameters of one line only, and none at the start or end of a template.
 */
export const TEMPLATES: Readonly<Record<TemplateName, string>> = {
  confirm:
    "This is {{1}}. Someone asked us to send price alerts for this holiday to this number:\n\n{{2}}\n\nIt costs {{3}} now. Reply YES and we'll tell you when its price, or a similar one, drops: one message a day at most. If you don't reply, we won't message you again. Reply STOP and we'll never message this number.",
  welcome:
    "This is {{1}}. We're watching this holiday for you:\n\n{{2}}\n\nIt costs {{3}} now. We'll tell you when its price, or a similar one, drops: one message a day at most. Reply STOP to unsubscribe or LIST to see your alerts.",
  drop: 'Price drop to {{2}}, from {{3}}:\n\n{{1}}\n\nSee it here: {{4}}\n\nOther price drops: {{5}}\n\nPrices change quickly. Reply STOP to unsubscribe or LIST to see your alerts.',
};

export const STOPPED = "All your alerts are paused, and you won't hear from us. START brings them back.";
export const STILL_PAUSED = 'Your other alerts stay paused. START brings them back.';
export const WATCHING = "You're watching:";
export const WATCHING_NOTHING = 'You have no price alerts.';
export const COMMANDS =
  'Reply STOP and a number to stop one alert, STOP to pause them all or LIST to see them.';
export const STARTED =
  "We'll tell you when one of them, or a similar holiday, drops in price: one message a day at most.";
export const NOT_ON_SALE = "That holiday isn't on sale at the moment.";

export function endedLines(ended: readonly number[], missing: readonly number[]): string[] {
  const [only, ...others] = ended;
  const undo = others.length === 0 ? `START ${only} brings it back.` : 'START and a number brings one back.';
  return [
    ...(only === undefined ? [] : [`We've stopped ${alertsNumbered(ended)}. ${undo}`]),
    ...(missing.length === 0 ? [] : [`You don't have ${alertsNumbered(missing)}.`]),
  ];
}

export function declinedLine(numbers: readonly number[]): string {
  return `OK, we won't start that. If you change your mind, send START ${numbers.join(' ')}.`;
}

export function pausedLine(numbers: readonly number[]): string {
  return `Paused: ${alertsNumbered(numbers)}. START brings back what is paused.`;
}

function alertsNumbered(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'alert' : 'alerts'} ${numbers.join(', ')}`;
}

export function dataLine(ownPage: string | null): string {
  return ownPage === null
    ? 'You can see, download or delete everything we hold about you on your own page: ask us for its link.'
    : `See, download or delete everything we hold about you: ${ownPage}`;
}

export function helpLine(brandName: string, isWaiting: boolean): string {
  const yes = isWaiting ? 'YES to start your alert, NO to refuse it, ' : '';
  return `This is ${brandName}'s price alerts, an automated service. Reply ${yes}LIST to see your alerts, STOP to pause them all, or STOP and a number to stop one.`;
}

/** What a watch is for, in words. */
export interface WatchedSubject {
  words: string;
  /** Its price now, to follow 'It costs'. */
  price: string;
}

export function confirmText(brandName: string, { words, price }: WatchedSubject): MessageText {
  return fill('confirm', [brandName, words, price]);
}

/** '£600 with charges at the hotel'. */
export function priceWords(onSale: Pick<PackageOnSale, 'price' | 'charges'> | null): string {
  return onSale === null
    ? 'an unknown amount (no provider sells it yet)'
    : `${formatWholePounds(onSale.price)} ${chargeWords(onSale.charges)}`;
}

/** '£600 now, with charges at the hotel'. */
export function priceNow({ price, charges }: PackageOnSale): string {
  return `${formatWholePounds(price)} now, ${chargeWords(charges)}`;
}

export function welcomeText(brandName: string, { words, price }: WatchedSubject): MessageText {
  return fill('welcome', [brandName, words, price]);
}

export interface Dropped {
  onSale: PackageOnSale;
  /** The price that the drop is measured from; null: another package of a search. */
  reference: Pence | null;
  /** The watched package that this one is similar to; null if this is the watched one. */
  similarTo: PackageOnSale | null;
}

/** What a message says about a watched search. */
export interface SearchFacts {
  name: string;
  limitLine: string;
  isBooked: boolean;
  /** What the price has fallen from, as '£600'. */
  from: string;
}

export interface DropFacts {
  /** The message's ID, by which 'See it' finds the holiday that the message is about. */
  message: number;
  /** The number that the person sees in LIST. */
  watchNumber: number;
  /** The search that the message is about, its limit, and the price that it compares with; null: a package. */
  search: SearchFacts | null;
  dropped: Dropped;
  /** Further packages that have dropped: at most two, the best first. */
  others: readonly Dropped[];
  /** The lowest price of the last `days` days; null with too little history. */
  low: { price: Pence; days: number } | null;
  /** Links to the package's search, the best first and the shortest last; empty without a site URL. */
  links: readonly string[];
  /** The price record's root, and the site's URL; null before its first day or without a site URL. */
  record: { root: string; siteUrl: string } | null;
}

/** How many digits of a root are enough to compare it with the price record. */
const ROOT_DIGITS = 12;

/** The most characters of a price alert. A WhatsApp template may have 1,024, with the link to the alerts. */
const MAX_DROP = 850;

/** A price alert with as many of the other packages as fit, and the best link that fits. Rarely the root does not fit. */
export function fittingDropText(facts: DropFacts): { body: MessageText; count: number } {
  // The last two links are only for messages that are too long even for one package.
  const marked = facts.links.length === 0 ? [undefined] : facts.links.slice(0, -2);
  for (let count = facts.others.length; count > 0; count -= 1) {
    for (const link of marked) {
      const body = dropText({ ...facts, others: facts.others.slice(0, count) }, link);
      if (body.text.length <= MAX_DROP) return { body, count };
    }
  }
  const [best, ...shorter] = facts.links;
  const alone = { ...facts, others: [] };
  let body = dropText(alone, best);
  for (const link of shorter) {
    if (body.text.length <= MAX_DROP) break;
    body = dropText(alone, link);
  }
  if (body.text.length > MAX_DROP && facts.record !== null)
    return fittingDropText({ ...facts, record: null });
  return { body, count: 0 };
}

function dropText(
  { message, watchNumber, search, dropped, others, low, record }: DropFacts,
  link: string | undefined,
): MessageText {
  const { onSale, reference } = dropped;
  const listed = others.map((other) => otherWords(other, dropped));
  const facts = [
    `${search === null ? introWords(dropped) : `${search.name}: `}${describePackage(onSale)}. Prices are ${chargeWords(onSale.charges)}.`,
    ...(search === null ? [] : [search.limitLine, ...(search.isBooked ? [NO_REFUND] : [])]),
    ...(low === null ? [] : [lowWords(low, onSale.price)]),
  ];
  const root = record?.root.slice(0, ROOT_DIGITS);
  const recorded = record === null ? '' : ` Price record: ${root}, ${record.siteUrl}/price-record`;
  const parameters = [
    facts.join(' '),
    formatWholePounds(onSale.price),
    search?.from ?? formatWholePounds(reference ?? onSale.price),
    link ?? providerLink(onSale),
    `${listed.length === 0 ? 'none today.' : `${listed.join('; ')}.`}${recorded}`,
  ];
  return {
    ...fill('drop', parameters),
    others: listed,
    ...(root !== undefined && { root }),
    buttons: [
      { title: 'See it', payload: `see:${message}` },
      { title: 'Stop this one', payload: `stop:${watchNumber}` },
      { title: 'Stop all', payload: 'stop' },
    ],
  };
}

/** Part of a message about a booked holiday. */
const NO_REFUND = "Most providers don't refund a fall after you've booked: ask yours before you rely on it.";

/** 'Similar to Hotel Sol, £600 now: ' before a package that is not the watched one. */
function introWords({ similarTo }: Dropped): string {
  if (similarTo === null) return '';
  return `Similar to ${nameInMessage(similarTo.hotelName)}, ${formatWholePounds(similarTo.price)} now: `;
}

/** Says what a further package is similar to, unless `best` has said so. */
function otherWords(other: Dropped, best: Dropped): string {
  const known = (best.similarTo ?? best.onSale).itemKey;
  const intro = other.similarTo?.itemKey === known ? 'similar: ' : introWords(other).replace(/^S/, 's');
  const { hotelName, airportName, departure, boardWords, price } = other.onSale;
  const name = `${nameInMessage(hotelName)}, ${boardWords}, from ${airportName} on ${formatLongDate(departure)}`;
  const was = other.reference === null ? '' : `, was ${formatWholePounds(other.reference)}`;
  return `${intro}${name}: ${formatWholePounds(price)}${was}`;
}

function lowWords({ price: lowest, days }: NonNullable<DropFacts['low']>, price: Pence): string {
  const amount = formatWholePounds(Math.min(lowest, price));
  return lowest >= price
    ? `${amount} is the lowest of the last ${days} days.`
    : `The lowest of the last ${days} days: ${amount}.`;
}

/** In characters. Feeds may have links of up to 2,000. */
const MAX_PROVIDER_LINK = 350;

function providerLink({ link, providerName }: PackageOnSale): string {
  return link === '' || link.length > MAX_PROVIDER_LINK ? `on ${providerName}'s site` : link;
}

export function seeLines(onSale: PackageOnSale, link: string | null): string[] {
  return [`${describePackage(onSale)}: ${priceNow(onSale)}.`, link ?? providerLink(onSale)];
}

export function replyText(lines: readonly string[], buttons: readonly MessageButton[] = []): MessageText {
  return { template: 'reply', parameters: [], text: lines.join('\n'), buttons: [...buttons], others: [] };
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

function fill(template: TemplateName, values: readonly string[]): MessageText {
  const parameters = values.map((value) => value.replace(/\s+/g, ' ').trim());
  const text = TEMPLATES[template].replace(
    /\{\{(\d)\}\}/g,
    (_whole, place) => parameters[Number(place) - 1] ?? '',
  );
  return { template, parameters, text, buttons: [], others: [] };
}
