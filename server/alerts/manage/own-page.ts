import { formatLongDate } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { formatWholePounds } from '../../../domain/money.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { MESSAGES } from '../rendering/channel-messages.ts';
import type { Channel } from '../tables/stop-scope.ts';
import type { OwnAlerts, OwnHoliday, OwnWatch } from './own-alerts.ts';
import { pricePlot } from './price-plot.ts';

/** The results of a form, as the page says them. */
export const OWN_NEWS = {
  limited: 'Saved.',
  stopped: 'Stopped. Nothing more comes about that holiday.',
  'all-stopped': 'Stopped. Nothing more from us.',
  started: 'Price alerts are allowed again. Set up the alerts that you want on a holiday’s card.',
  ended: 'That alert has ended already. Nothing has changed.',
  'bad-limit': 'Enter whole pounds, such as 450, or leave the field empty.',
} as const;

export type OwnNews = keyof typeof OWN_NEWS;

/** What the page says about the form before it. */
export interface NewsOfForm {
  news: OwnNews | null;
  /** The number of the watch that the news is about, or null. */
  watch: number | null;
}

/**
 * The page of a person's own alerts. It is written where they are read, so that the thread that answers searches only
 * passes it on.
 */
export interface OwnPage {
  title: string;
  /** HTML below the header, in UTF-8. */
  main: Uint8Array<ArrayBuffer>;
}

/** Every change is a form that posts the token in its body. */
export function ownPage(own: OwnAlerts, token: string, { news, watch }: NewsOfForm): OwnPage {
  return {
    title: news === null ? 'Your price alerts' : `${OWN_NEWS[news]} Your price alerts`,
    main: new TextEncoder().encode(mainOf(own, token, { news, watch })),
  };
}

function mainOf(own: OwnAlerts, token: string, { news, watch: about }: NewsOfForm): string {
  const isAbout = (number: number) => news !== null && news !== 'stopped' && about === number;
  const hasPlace = own.watches.some(({ number }) => isAbout(number));
  const ends = formatLongDate(londonClock(own.linkEndsAt).day);
  const watches = own.watches.map((watch) =>
    watchSection(watch, own.channel, token, isAbout(watch.number) ? news : null),
  );
  return `<main class="own-alerts">
<h1>Your price alerts</h1>
${news === null || hasPlace ? '' : newsLine(news)}
<p>These are the alerts for ${escapeHtml(own.contact)}. Whoever has this link can change them, so do not pass it on. It works until ${ends}; each message has a newer one.</p>
${own.isStopped ? stoppedLine(own.channel, token) : ''}
${watches.length === 0 && !own.isStopped ? '<p class="own-empty">You are watching nothing. Set up price alerts on a holiday’s card.</p>' : ''}
${watches.join('\n')}${othersLine(own)}
${own.isStopped ? '' : stopSection(own, token)}
${dataSection(own.channel, token)}
<p><a href="/">Back to the search</a></p>
</main>`;
}

/** After everything has been deleted. */
export function deletedPage(channel: Channel): { title: string; main: string } {
  return {
    title: 'Your data is deleted',
    main: `<main class="plain-text">
<h1>Your data is deleted</h1>
<p role="status">Nothing more from us. ${DELETED[channel]}</p>
<p><a href="/">Back to the search</a></p>
</main>`,
  };
}

const DELETED: Readonly<Record<Channel, string>> = {
  whatsapp:
    'What stays is the number’s fingerprint on the stop list, so that nobody can set up alerts for it again. START on WhatsApp takes it off.',
  email: 'If an alert is set up for this address again, one email asks first.',
  push: 'You can set up alerts in that browser again.',
};

function watchSection(
  { number, isConfirmed, below, holiday }: OwnWatch,
  channel: Channel,
  token: string,
  news: OwnNews | null,
): string {
  const heading = `watch-${number}`;
  const name = holiday?.name ?? 'A holiday that is not on sale at the moment';
  return `<section class="own-watch" aria-labelledby="${heading}">
<h2 id="${heading}">${escapeHtml(name)}</h2>
${holiday === null ? '' : holidayLines(holiday)}
${isConfirmed ? '' : `<p class="own-waiting">${WAITING[channel]}</p>`}
${holiday === null || holiday.history === null ? '' : pricePlot(holiday.history.daily, below)}
${holiday?.history?.sample ? '<p class="price-note">This is a sample market: its earlier prices are generated.</p>' : ''}
${limitForm(number, name, below, token, news)}
${form(token, { act: 'stop one', watch: number }, `Stop this one${hiddenWords(`: ${name}`)}`)}
</section>`;
}

const WAITING: Readonly<Record<Channel, string>> = {
  whatsapp: 'It waits for your YES on WhatsApp.',
  email: 'It waits for you to confirm it, by the button in our first email.',
  push: 'It waits to be confirmed.',
};

function holidayLines({ details, price, link }: OwnHoliday): string {
  const see = link === null ? '' : ` <a href="${escapeHtml(link)}">See it</a>`;
  return `<p>${escapeHtml(details)}</p>
<p class="own-price"><strong>${formatWholePounds(price)}</strong> now.${see}</p>`;
}

/** The id of the field of a watch's limit, which is also where its form leads back to. */
export function limitFieldId(watch: number): string {
  return `below-${watch}`;
}

function limitForm(
  number: number,
  name: string,
  below: number | null,
  token: string,
  news: OwnNews | null,
): string {
  const id = limitFieldId(number);
  const isWrong = news === 'bad-limit';
  return `<form class="own-limit" method="post" action="/my-alerts">
${hidden(token, { act: 'limit', watch: number })}
<label for="${id}">Tell me only about prices below, in pounds${hiddenWords(`, for ${name}`)}</label>
<div class="own-limit-row"><input id="${id}" name="below" inputmode="numeric" autocomplete="off" maxlength="9" value="${below === null ? '' : Math.round(below / 100)}" aria-describedby="${id}-hint${isWrong ? ` ${id}-news` : ''}"${isWrong ? ' aria-invalid="true"' : ''}><button class="button-quiet">Save${hiddenWords(` the limit for ${name}`)}</button></div>
<p id="${id}-hint" class="own-hint">Empty: every drop of at least 5% and £10.</p>
${news === null ? '' : `<p id="${id}-news" class="${isWrong ? 'own-wrong' : 'own-news'}" role="${isWrong ? 'alert' : 'status'}">${escapeHtml(OWN_NEWS[news])}</p>`}
</form>`;
}

function stopSection({ channel, hasOthers, watches }: OwnAlerts, token: string): string {
  const everything = hasOthers
    ? form(token, { act: 'stop everything' }, 'Stop everything, on every device and address of mine')
    : '';
  if (watches.length === 0 && everything === '') return '';
  return `<section aria-labelledby="own-stop">
<h2 id="own-stop">Stop</h2>
${form(token, { act: 'stop all' }, `Stop all ${MESSAGES[channel]}`)}
${everything}
</section>`;
}

function stoppedLine(channel: Channel, token: string): string {
  const start = {
    whatsapp: '<p>If you change your mind, send START on WhatsApp.</p>',
    email: form(token, { act: 'start' }, 'Allow price alerts again'),
    push: '<p>If you change your mind, set up an alert in that browser again.</p>',
  };
  return `<p class="own-stopped">Stopped. There are no more ${MESSAGES[channel]}.</p>\n${start[channel]}`;
}

const NAMES: Readonly<Record<Channel, string>> = {
  whatsapp: 'number',
  email: 'address',
  push: 'browser',
};

function dataSection(channel: Channel, token: string): string {
  return `<section aria-labelledby="own-data">
<h2 id="own-data">Your data</h2>
<form class="link-form" method="post" action="/my-alerts/data">${hidden(token, {})}<button class="button-quiet">Download what is kept about you</button></form>
<details class="own-delete">
<summary>Delete everything</summary>
<p>Every alert, message and record for this ${NAMES[channel]} is deleted at once, and cannot be brought back.</p>
${form(token, { act: 'delete' }, 'Delete everything now', 'button-danger')}
</details>
</section>`;
}

/** A line only where there are more than the page shows. */
function othersLine({ watches, watchesInAll }: OwnAlerts): string {
  if (watches.length === watchesInAll) return '';
  return `\n<p class="own-others">You have ${watchesInAll} alerts. The first ${watches.length} are here; the others follow when some of these have stopped.</p>`;
}

function newsLine(news: OwnNews): string {
  return `<p class="own-news" role="status">${escapeHtml(OWN_NEWS[news])}</p>`;
}

/** `label` is HTML. */
function form(
  token: string,
  fields: Readonly<Record<string, string | number>>,
  label: string,
  className = 'button-quiet',
): string {
  return `<form class="link-form" method="post" action="/my-alerts">${hidden(token, fields)}<button class="${className}">${label}</button></form>`;
}

function hidden(token: string, fields: Readonly<Record<string, string | number>>): string {
  return Object.entries({ token, ...fields })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
    .join('');
}

function hiddenWords(text: string): string {
  return `<span class="visually-hidden">${escapeHtml(text)}</span>`;
}
