import { escapeHtml } from '../../lib/escape-html.ts';
import type { OutboxView } from './outbox-view.ts';

type Phone = OutboxView['phones'][number];
type Message = Phone['messages'][number];
type Watch = Phone['watches'][number];

interface OutboxPageOptions {
  brandName: string;
  hasSampleMarket: boolean;
  /** The result of the last click. */
  news: string | null;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Names of message states on the page. A delivered message has none. */
const STATES: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  sending: 'Being sent',
  unknown: 'Unknown whether it was sent',
  accepted: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};

/** HTML of the local outbox: each phone with its messages, and forms to answer them. */
export function outboxPage(view: OutboxView, options: OutboxPageOptions): string {
  const { brandName, news } = options;
  const brand = escapeHtml(brandName);
  const phones = view.phones.map((phone) => phoneSection(phone, options)).join('\n');
  return `<main class="outbox">
<h1>Local outbox</h1>
<p>No message provider is configured, so WhatsApp messages are shown here and sent to no phone. Emails are shown too, and sent only if <code>SMTP_URL</code> is set. Notifications go to the browser that asked for them. To try the alerts:</p>
<ol class="steps">
<li>Search on <a href="/">${brand}</a>, and on any holiday choose ‘Set up price alerts’. A test number is 07700 900123, a test address someone@example.com.</li>
<li>Here, answer YES. In an email, choose ‘Yes, watch it’.</li>
<li>Ask the sample market for a price drop, and read the alert.</li>
<li>Answer STOP, or choose a stop link.</li>
</ol>
<form method="get" action="/outbox"><button class="quiet">Refresh</button></form>
${news === null ? '' : `<p class="news" role="status">${escapeHtml(news)}</p>`}
${phones === '' ? '<p class="empty">Nobody has set up an alert yet.</p>' : phones}
</main>`;
}

const HEADINGS: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'The phone ending in',
  email: 'The inbox of',
  push: 'The browser at',
};

function phoneSection(phone: Phone, options: OutboxPageOptions): string {
  const { person, channel, name, isStopped, messages } = phone;
  const heading = `phone-${person}`;
  return `<section class="phone" aria-labelledby="${heading}">
<h2 id="${heading}">${HEADINGS[channel]} ${escapeHtml(name)}</h2>
<div class="screen ${channel}">
<p class="sender">${escapeHtml(options.brandName)}</p>
<ol class="messages" aria-label="Messages">
${messages.map((message) => messageItem(person, message)).join('\n')}
</ol>
${isStopped ? `<p class="stopped">Stopped. Nothing more is sent to this ${PLACES[channel]}.</p>` : ''}
${channel === 'whatsapp' ? answers(person) : `<p class="answers" id="answer-${person}">Its links and buttons work as they do on a phone.</p>`}
</div>
${watchList(phone, options.hasSampleMarket)}
</section>`;
}

const PLACES: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'phone',
  email: 'address',
  push: 'browser',
};

function answers(person: number): string {
  return `<div class="answers" id="answer-${person}" role="group" aria-label="Answer from this phone">
${['YES', 'STOP', 'LIST'].map((word) => answerForm(person, word)).join('\n')}
<form method="post" action="/outbox/answer" class="own-words">
<input type="hidden" name="person" value="${person}">
<label for="words-${person}">In other words</label>
<input id="words-${person}" name="text" maxlength="200" autocomplete="off">
<button>Send</button>
</form>
</div>`;
}

function messageItem(person: number, message: Message): string {
  const { isOwn, at, state, text, buttons, email, notification } = message;
  const note = noteOf(person, message);
  const time = `<time datetime="${new Date(at).toISOString()}">${CLOCK.format(at)}</time>`;
  if (email !== null)
    return `<li class="message email ${escapeHtml(state)}">${emailItem(message, email)}${note}${time}</li>`;
  if (notification !== null)
    return `<li class="message notification ${escapeHtml(state)}">${notificationItem(notification)}${note}${time}</li>`;
  const words =
    text === null
      ? '<p class="text waiting">A price drop. Its text is composed when it is sent.</p>'
      : `<p class="text">${linked(escapeHtml(text))}</p>`;
  const sender = isOwn ? '<p class="note">You</p>' : '';
  const pressable = state === 'queued' || state === 'dropped' ? [] : buttons;
  const forms = pressable.map((button) => buttonForm(person, button)).join('');
  const group = forms === '' ? '' : `<div class="quick">${forms}</div>`;
  return `<li class="message ${escapeHtml(state)}">${sender}${words}${note}${group}${time}</li>`;
}

function noteOf(person: number, { state, reason, waiting }: Message): string {
  if (waiting !== null) return waitingNote(person, waiting);
  const name = Object.hasOwn(STATES, state) ? STATES[state] : null;
  if (name === null) return '';
  return `<p class="note">${escapeHtml(`${name}${reason === null ? '' : `: ${reason}`}`)}</p>`;
}

/** An email as a mail program shows it: its HTML in a frame without scripts, its text, and the program's own stop button. */
function emailItem({ id }: Message, { subject, text, links }: NonNullable<Message['email']>): string {
  return `<h3 class="subject">${escapeHtml(subject)}</h3>
<iframe class="email-frame" src="/outbox/email/${id}" title="${escapeHtml(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>As plain text</summary><p class="text">${linked(escapeHtml(text))}</p></details>
<form method="post" action="${escapeHtml(pathOf(links.stopAll))}"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="quiet">Unsubscribe (the mail program’s button)</button></form>`;
}

function notificationItem({ title, body, url, stop }: NonNullable<Message['notification']>): string {
  return `<h3 class="subject">${escapeHtml(title)}</h3>
<p class="text">${escapeHtml(body).replace(/\n/g, '<br>')}</p>
<div class="quick"><a class="see" href="${escapeHtml(url)}">Open</a><form method="post" action="${escapeHtml(pathOf(stop.url))}"><button class="quiet">${escapeHtml(stop.label)}</button></form></div>`;
}

/** The page may be open under another name of this machine than the links have. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

/** Why a message is not sent yet, with a button that sends it all the same. */
function waitingNote(person: number, { message, until }: NonNullable<Message['waiting']>): string {
  const words = `Waits until ${CLOCK.format(until)}. Quiet hours and the limit of one alert a day apply here too.`;
  return `<p class="note">${words}</p><form method="post" action="/outbox/send"><input type="hidden" name="person" value="${person}"><input type="hidden" name="message" value="${message}"><button class="quiet">Send it now</button></form>`;
}

/** A quick-reply button: its title is shown, and its payload sent. */
function buttonForm(person: number, { title, payload }: Message['buttons'][number]): string {
  return `<form method="post" action="/outbox/answer"><input type="hidden" name="person" value="${person}"><input type="hidden" name="payload" value="${escapeHtml(payload)}"><button class="quiet" name="text" value="${escapeHtml(title)}">${escapeHtml(title)}</button></form>`;
}

function answerForm(person: number, word: string): string {
  return `<form method="post" action="/outbox/answer"><input type="hidden" name="person" value="${person}"><button name="text" value="${word}">${word}</button></form>`;
}

function watchList({ person, channel, watches }: Phone, hasSampleMarket: boolean): string {
  if (watches.length === 0) return '';
  const hint = 'A drop requested here is sent at once, regardless of quiet hours and the daily limit.';
  return `<div class="watching">
<h3>Watching</h3>
<ol class="watches">
${watches.map((watch) => watchItem(person, watch, { hasSampleMarket, answer: channel === 'email' ? 'confirmation' : 'YES' })).join('\n')}
</ol>
${hasSampleMarket ? `<p class="hint">${hint}</p>` : ''}
</div>`;
}

function watchItem(
  person: number,
  { id, number, isActive, description, price }: Watch,
  { hasSampleMarket, answer }: { hasSampleMarket: boolean; answer: string },
): string {
  const ask =
    isActive && hasSampleMarket && price !== null
      ? `<form method="post" action="/outbox/drop"><input type="hidden" name="person" value="${person}"><input type="hidden" name="watch" value="${id}"><button class="quiet">Ask the sample market for a price drop</button></form>`
      : '';
  const cost = price === null ? '' : ` <strong>${escapeHtml(price)} now.</strong>`;
  const state = isActive ? '' : ` <em>It waits for ${answer}.</em>`;
  return `<li value="${number}">${escapeHtml(description)}.${cost}${state}${ask}</li>`;
}

function linked(escaped: string): string {
  return escaped
    .replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}" rel="noreferrer">${address}</a>`)
    .replace(/\n/g, '<br>');
}
