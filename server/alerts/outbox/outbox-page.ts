import { type Html, html } from '../../lib/html.ts';
import type { OutboxView } from './outbox-view.ts';

type Phone = OutboxView['phones'][number];
type Message = Phone['messages'][number];
type Watch = Phone['watches'][number];

interface OutboxPageOptions {
  brandName: string;
  hasSampleMarket: boolean;
  /** The result of the form just submitted; null if there was none. */
  news: string | null;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Labels of message states. A delivered message has no label. */
const STATES: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  sending: 'Being sent',
  unknown: 'May have been sent',
  accepted: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};

/** HTML of the local outbox: each phone with its messages, and forms to reply to them. */
export function outboxPage(view: OutboxView, options: OutboxPageOptions): string {
  const { brandName, news } = options;
  return html`<main class="outbox">
<h1>Local outbox</h1>
<p>No message provider is configured, so WhatsApp messages appear here instead of on a phone. Emails appear here too, and are sent only if <code>ALERT_EMAIL</code> is on. Notifications go to the browser that asked for them. To try the alerts:</p>
<ol class="steps">
<li>Search on <a href="/">${brandName}</a> and choose ‘Set up price alerts’ on any holiday. Use 07700 900123 or someone@example.com.</li>
<li>Reply YES here. In an email, choose ‘Yes, watch it’.</li>
<li>Ask the sample market for a price drop, and read the alert.</li>
<li>Reply STOP, or choose a stop link.</li>
</ol>
<form method="get" action="/outbox"><button class="quiet">Refresh</button></form>
${news !== null && html`<p class="news" role="status">${news}</p>`}
${view.phones.length === 0 ? html`<p class="empty">No alerts have been set up yet.</p>` : view.phones.map((phone) => phoneSection(phone, options))}
</main>`.text;
}

const HEADINGS: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'The phone ending in',
  email: 'The inbox of',
  push: 'The browser at',
};

const PLACES: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'phone',
  email: 'address',
  push: 'browser',
};

function phoneSection(phone: Phone, options: OutboxPageOptions): Html {
  const { contact, channel, name, isStopped, messages } = phone;
  const heading = `phone-${contact}`;
  return html`<section class="phone" aria-labelledby="${heading}">
<h2 id="${heading}">${HEADINGS[channel]} ${name}</h2>
<div class="screen ${channel}">
<p class="sender">${options.brandName}</p>
<ol class="messages" aria-label="Messages">
${messages.map((message) => messageItem(contact, message))}
</ol>
${isStopped && html`<p class="stopped">Unsubscribed. We send nothing more to this ${PLACES[channel]}.</p>`}
${channel === 'whatsapp' ? answers(contact) : html`<p class="answers" id="answer-${contact}">Its links and buttons work as they do on a phone.</p>`}
</div>
${watchList(phone, options.hasSampleMarket)}
</section>`;
}

function answers(contact: number): Html {
  const words = ['YES', 'STOP', 'LIST'].map((word) =>
    postForm('answer', { contact }, html`<button name="text" value="${word}">${word}</button>`),
  );
  return html`<div class="answers" id="answer-${contact}" role="group" aria-label="Reply from this phone">
${words}
<form method="post" action="/outbox/answer" class="own-words">
<input type="hidden" name="contact" value="${contact}">
<label for="words-${contact}">Or write your own reply</label>
<input id="words-${contact}" name="text" maxlength="200" autocomplete="off">
<button>Send</button>
</form>
</div>`;
}

function messageItem(contact: number, message: Message): Html {
  const { at, state, email, notification } = message;
  const time = html`<time datetime="${new Date(at).toISOString()}">${CLOCK.format(at)}</time>`;
  const note = noteOf(contact, message);
  if (email !== undefined)
    return html`<li class="message email ${state}">${emailItem(message, email)}${note}${time}</li>`;
  if (notification !== undefined)
    return html`<li class="message notification ${state}">${notificationItem(notification)}${note}${time}</li>`;
  return html`<li class="message ${state}">${textItem(message)}${note}${quickReplies(contact, message)}${time}</li>`;
}

function textItem({ id, text }: Message): Html {
  if (text === null)
    return html`<p class="text waiting">A price drop. We write its text when we send it.</p>`;
  return html`${id === null && html`<p class="note">You</p>`}<p class="text">${linked(text)}</p>`;
}

/** A quick-reply button shows its title, and sends its payload. */
function quickReplies(contact: number, { state, buttons }: Message): Html | null {
  if (state === 'queued' || state === 'dropped' || buttons.length === 0) return null;
  const forms = buttons.map(({ title, payload }) =>
    postForm(
      'answer',
      { contact, payload },
      html`<button class="quiet" name="text" value="${title}">${title}</button>`,
    ),
  );
  return html`<div class="quick">${forms}</div>`;
}

/** The state of a message, or why it waits, with a button that sends it now. */
function noteOf(contact: number, { id, state, reason, waitsUntil }: Message): Html | null {
  if (id !== null && waitsUntil !== null) {
    return html`<p class="note">Waits until ${CLOCK.format(waitsUntil)}. Quiet hours and the limit of one alert a day apply here too.</p>${postForm('send', { contact, message: id }, html`<button class="quiet">Send it now</button>`)}`;
  }
  if (!Object.hasOwn(STATES, state)) return null;
  return html`<p class="note">${STATES[state]}${reason !== null && `: ${reason}`}</p>`;
}

/** An email as a mail program shows it: HTML without scripts, text, and an unsubscribe button. */
function emailItem({ id }: Message, { subject, text, links }: NonNullable<Message['email']>): Html {
  return html`<h3 class="subject">${subject}</h3>
<iframe class="email-frame" src="/outbox/email/${id}" title="${subject}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>As plain text</summary><p class="text">${linked(text)}</p></details>
<form method="post" action="${pathOf(links.stopAll)}"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="quiet">Unsubscribe (the mail program’s button)</button></form>`;
}

function notificationItem({ title, body, url, stop }: NonNullable<Message['notification']>): Html {
  return html`<h3 class="subject">${title}</h3>
<p class="text">${linked(body)}</p>
<div class="quick"><a class="see" href="${url}">Open</a><form method="post" action="${pathOf(stop.url)}"><button class="quiet">${stop.label}</button></form></div>`;
}

/** The link's path, because the page may be open under another host name than the links. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

function postForm(act: string, fields: Readonly<Record<string, string | number>>, button: Html): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="/outbox/${act}">${inputs}${button}</form>`;
}

function watchList({ contact, channel, watches }: Phone, hasSampleMarket: boolean): Html | null {
  if (watches.length === 0) return null;
  const answer = channel === 'email' ? 'confirmation' : 'YES';
  return html`<div class="watching">
<h3>Watching</h3>
<ol class="watches">
${watches.map((watch) => watchItem(contact, watch, { hasSampleMarket, answer }))}
</ol>
${hasSampleMarket && html`<p class="hint">We send these alerts immediately, even in quiet hours or after today’s alert.</p>`}
</div>`;
}

function watchItem(
  contact: number,
  { id, number, isActive, description, price }: Watch,
  { hasSampleMarket, answer }: { hasSampleMarket: boolean; answer: string },
): Html {
  const drop = html`<button class="quiet">Ask the sample market for a price drop</button>`;
  return html`<li value="${number}">${description}.${price !== null && html` <strong>${price} now.</strong>`}${!isActive && html` <em>Waiting for ${answer}.</em>`}${isActive && hasSampleMarket && price !== null && postForm('drop', { contact, watch: id }, drop)}</li>`;
}

const BREAK = html`<br>`;

/** A text with clickable URLs and its line breaks. */
function linked(text: string): Html[] {
  return text.split(/(https?:\/\/\S+|\n)/).map((part) => {
    if (part === '\n') return BREAK;
    return /^https?:/.test(part) ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`;
  });
}
