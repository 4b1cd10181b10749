import { fromDayNumber } from '../../../domain/calendar-date.ts';
import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { formatLongDate } from '../../../domain/day-words.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { lowestOf } from '../../../domain/lowest-price.ts';
import { formatWholePounds } from '../../../domain/money.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Channel } from '../tables/contacts.ts';
import { MESSAGES } from '../texts/contact-name.ts';
import type { OwnAlerts, OwnHoliday, OwnSearch, OwnWatch } from './own-alerts.ts';

export const OWN_NEWS = {
  limited: 'Saved.',
  booked: 'Saved. We’ll tell you if it falls by 5% and £25.',
  paused: 'Paused.',
  resumed: 'This alert is back on.',
  stopped: 'Stopped. You won’t hear about that holiday again.',
  'all-stopped': 'All paused. You won’t hear from us.',
  started: 'Your price alerts are back on.',
  ended: 'That alert has already ended. Nothing has changed.',
  'bad-limit': 'Enter whole pounds, such as 450, or leave the field empty.',
} as const;

export type OwnNews = keyof typeof OWN_NEWS;

export interface NewsOfForm {
  news: OwnNews | null;
  /** The number of the watch that the result is about, or null. */
  watch: number | null;
}

/** A page behind a signed link; `main` is its HTML below the header. */
export interface LinkPage {
  title: string;
  main: string;
}

/** The page of a person's alerts. Each change is a form that posts the token in its body. */
export function ownPage(own: OwnAlerts, token: string, { news, watch }: NewsOfForm): LinkPage {
  return {
    title: news === null ? 'Your price alerts' : `${OWN_NEWS[news]} Your price alerts`,
    main: mainOf(own, token, { news, watch }).text,
  };
}

function mainOf(own: OwnAlerts, token: string, { news, watch: about }: NewsOfForm): Html {
  const isAbout = (number: number) => news !== null && news !== 'stopped' && about === number;
  const hasPlace = own.watches.some(({ number }) => isAbout(number));
  const ends = formatLongDate(londonClock(own.linkEndsAt).day);
  const watches = own.watches.map((watch) =>
    watchSection(watch, own.channel, token, isAbout(watch.number) ? news : null),
  );
  return html`<main class="own-alerts">
<h1>Your price alerts</h1>
${news !== null && !hasPlace && html`<p class="notice" role="status">${OWN_NEWS[news]}</p>`}
<p>These are the alerts for ${own.contact}. Anyone with this link can change them, so don’t share it. It works until ${ends}; each message has a newer one.</p>
${own.hasEnded && html`<p class="notice is-waiting">This browser’s notifications have ended, so your alerts have stopped. To get them again, set one up on any holiday in this browser.</p>`}
${own.isStopped && stoppedLines(own.channel, token)}
${watches.length === 0 && !own.isStopped && !own.hasEnded && html`<p class="own-empty">You have no price alerts. Set one up on any holiday.</p>`}
${watches}
${own.watches.length < own.watchesInAll && html`<p class="own-others">You have ${own.watchesInAll} alerts. These are the first ${own.watches.length}; stop some to see the others.</p>`}
${!own.isStopped && stopSection(own, token)}
${dataSection(own.channel, token)}
<p><a href="/">Back to search</a></p>
</main>`;
}

export function deletedPage(channel: Channel): LinkPage {
  const { text } = html`<main class="plain-text">
<h1>We’ve deleted your data</h1>
<p role="status">You won’t hear from us again. ${DELETED[channel]}</p>
<p><a href="/">Back to search</a></p>
</main>`;
  return { title: 'We’ve deleted your data', main: text };
}

const DELETED: Readonly<Record<Channel, string>> = {
  whatsapp:
    'We keep only the number’s fingerprint on our stop list, so that no one can set up alerts for it again. Send START on WhatsApp to remove it.',
  email: 'If someone sets up an alert for this address again, we’ll email once to ask.',
  push: 'You can set up alerts in that browser again.',
  ntfy: 'If someone sets up an alert for this topic again, we’ll send one message to ask.',
};

function watchSection(
  { number, state, holiday, search }: OwnWatch,
  channel: Channel,
  token: string,
  news: OwnNews | null,
): Html {
  const heading = `watch-${number}`;
  const name = search?.name ?? holiday?.name ?? 'A holiday that isn’t on sale at the moment';
  const isOnSale = holiday !== null || (search !== null && search.best !== null);
  const about = hiddenWords(`: ${name}`);
  return html`<section class="own-watch" aria-labelledby="${heading}">
<h2 id="${heading}">${name}</h2>
${holiday !== null && holidayLines(holiday)}
${search !== null && searchLines(search)}
${state === 'asked' && html`<p class="notice is-waiting">${WAITING[channel]}</p>`}
${state === 'paused' && html`<p class="notice is-waiting">Paused.</p>`}
${holiday !== null && holiday.history !== null && lowestLine(holiday.history.daily)}
${holiday?.history?.sample === true && html`<p class="price-note">Earlier prices are made up for this demo.</p>`}
${news !== null && html`<p id="${limitFieldId(number)}-news" class="${news === 'bad-limit' ? 'notice is-wrong' : 'notice'}" role="${news === 'bad-limit' ? 'alert' : 'status'}">${OWN_NEWS[news]}</p>`}
${search?.booked == null && (search !== null || isOnSale) && limitForm(number, name, search, token, news)}
${search?.booked == null && isOnSale && bookedForm(number, name, token)}
<div class="own-acts">${state === 'active' && form(token, { act: 'pause', watch: number }, html`Pause${about}`)}
${state === 'paused' && form(token, { act: 'resume', watch: number }, html`Turn back on${about}`)}
${form(token, { act: 'stop one', watch: number }, html`Stop this one${about}`)}</div>
</section>`;
}

/** The best package of a watched search, what a booking has saved, and the lowest totals since the watch began. */
function searchLines({ best, booked, began, prices }: OwnSearch): Html {
  const now =
    best === null
      ? html`<p>No provider sells it at the moment.</p>`
      : html`<p>${best.name}</p>
<p class="own-price"><strong>${formatWholePounds(best.price)}</strong> now.${best.link !== null && html` <a href="${best.link}">See it</a>`}</p>`;
  return html`${now}
${booked !== null && html`<p>You booked it for <strong>${formatWholePounds(booked)}</strong>${savedWords(booked, began, best?.price ?? null)}. Most providers don’t refund a fall after you’ve booked: ask yours before you rely on it.</p>`}
${lowestLine(prices.map(([day, price]) => ({ day, price })))}
${pricePlot(prices)}`;
}

function savedWords(booked: number, began: number | null, now: number | null): string {
  const saved =
    began !== null && began > booked ? `, ${formatWholePounds(began - booked)} less than when you began` : '';
  return `${saved}${now !== null && now < booked ? `. It costs ${formatWholePounds(booked - now)} less now` : ''}`;
}

const PLOT = { width: 320, height: 64 };

/** The lowest total of each day as a line with steps. The sentence before it has the figures that matter. */
function pricePlot(prices: OwnSearch['prices']): Html | null {
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const totals = prices.map(([, price]) => price);
  const [low, high] = [Math.min(...totals), Math.max(...totals)];
  const x = (day: number) => Math.round(((day - first[0]) / (last[0] - first[0])) * PLOT.width);
  const y = (price: number) =>
    Math.round(2 + (1 - (price - low) / Math.max(1, high - low)) * (PLOT.height - 4));
  const steps = prices.slice(1).map(([day, price]) => `H${x(day)}V${y(price)}`);
  const words = `Lowest price of each day, from ${formatWholePounds(low)} to ${formatWholePounds(high)}`;
  return html`<svg class="own-plot" role="img" aria-label="${words}" viewBox="0 0 ${PLOT.width} ${PLOT.height}"><path d="M0 ${y(first[1])}${steps.join('')}"/></svg>`;
}

const WAITING: Readonly<Record<Channel, string>> = {
  whatsapp: 'To start it, reply YES on WhatsApp.',
  email: 'To start it, press the button in our first email.',
  push: 'It hasn’t been confirmed yet.',
  ntfy: 'To start it, open our first notification.',
};

function holidayLines({ details, price, link }: OwnHoliday): Html {
  return html`<p>${details}</p>
<p class="own-price"><strong>${formatWholePounds(price)}</strong> now.${link !== null && html` <a href="${link}">See it</a>`}</p>`;
}

function lowestLine(daily: readonly DailyPrice[]): Html | null {
  const [first] = daily;
  const lowest = lowestOf(daily);
  if (first === undefined || lowest === null) return null;
  const [since, day] = [first, lowest].map((point) => formatLongDate(fromDayNumber(point.day)));
  return html`<p class="price-words">Lowest since ${since}: <strong>${formatWholePounds(lowest.price)}</strong> on ${day}.</p>`;
}

/** The HTML id of a watch's price limit field, where the page opens after a change of the limit. */
export function limitFieldId(watch: number): string {
  return `below-${watch}`;
}

function limitForm(
  number: number,
  name: string,
  search: OwnSearch | null,
  token: string,
  news: OwnNews | null,
): Html {
  const limit = search?.limit ?? null;
  const id = limitFieldId(number);
  const described = `${id}-hint${news === 'bad-limit' ? ` ${id}-news` : ''}`;
  return html`<form class="own-limit" method="post" action="/my-alerts">
${hidden(token, { act: 'limit', watch: number })}
<label for="${id}">Alert me when the total is at most (£)${hiddenWords(`, for ${name}`)}</label>
<div class="own-limit-row"><input id="${id}" name="below" inputmode="numeric" autocomplete="off" maxlength="9" value="${limit === null ? '' : Math.floor(limit / 100)}" aria-describedby="${described}"${news === 'bad-limit' && html` aria-invalid="true"`}><button class="button-quiet">Save${hiddenWords(` the limit for ${name}`)}</button></div>
<p id="${id}-hint" class="own-hint">${search === null ? 'Without a limit, you hear of every drop of at least 5% and £10.' : 'Leave empty for any price.'}</p>
</form>`;
}

function bookedForm(number: number, name: string, token: string): Html {
  const id = `booked-${number}`;
  return html`<details><summary>I’ve booked this${hiddenWords(`: ${name}`)}</summary>
<form class="own-limit" method="post" action="/my-alerts">
${hidden(token, { act: 'booked', watch: number })}
<label for="${id}">What did you pay in total? (£)</label>
<div class="own-limit-row"><input id="${id}" name="below" inputmode="numeric" autocomplete="off" maxlength="9" required aria-describedby="${id}-hint"><button class="button-quiet">Save</button></div>
<p id="${id}-hint" class="own-hint">Until you leave, we’ll tell you if the package above falls by 5% and £25. Most providers don’t refund a fall.</p>
</form></details>`;
}

function stopSection({ channel, hasOthers, watches }: OwnAlerts, token: string): Html | null {
  if (watches.length === 0 && !hasOthers) return null;
  return html`<section aria-labelledby="own-stop">
<h2 id="own-stop">Stop</h2>
${form(token, { act: 'stop all' }, html`Stop all ${MESSAGES[channel]}`)}
${hasOthers && form(token, { act: 'stop everything' }, html`Stop all alerts on all your devices and addresses`)}
</section>`;
}

function stoppedLines(channel: Channel, token: string): Html {
  const start = form(token, { act: 'start' }, html`Turn price alerts back on`);
  const again = {
    whatsapp: html`<p>To bring them back as they were, send START on WhatsApp.</p>`,
    email: start,
    ntfy: start,
    push: html`<p>If you change your mind, set up an alert in that browser again.</p>`,
  };
  return html`<p class="notice">You’ve stopped all ${MESSAGES[channel]}.</p>\n${again[channel]}`;
}

const NAMES: Readonly<Record<Channel, string>> = {
  whatsapp: 'number',
  email: 'address',
  push: 'browser',
  ntfy: 'topic',
};

function dataSection(channel: Channel, token: string): Html {
  return html`<section aria-labelledby="own-data">
<h2 id="own-data">Your data</h2>
<form class="link-form" method="post" action="/my-alerts/data">${hidden(token, {})}<button class="button-quiet">Download your data</button></form>
<details class="own-delete">
<summary>Delete everything</summary>
<p>This deletes every alert, message and record for this ${NAMES[channel]}. We can’t undo it.</p>
${form(token, { act: 'delete' }, html`Delete everything now`, 'button-danger')}
</details>
</section>`;
}

function form(
  token: string,
  fields: Readonly<Record<string, string | number>>,
  label: Html,
  className = 'button-quiet',
): Html {
  return html`<form class="link-form" method="post" action="/my-alerts">${hidden(token, fields)}<button class="${className}">${label}</button></form>`;
}

function hidden(token: string, fields: Readonly<Record<string, string | number>>): Html[] {
  return Object.entries({ token, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

function hiddenWords(text: string): Html {
  return html`<span class="visually-hidden">${text}</span>`;
}
