import { type Html, html } from '../../lib/html.ts';
import type { OutboxView } from './outbox-view.ts';

type Phone = OutboxView['phones'][number];
type Message = Phone['messages'][number];

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

const HEADINGS: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'The phone ending in',
  email: 'The inbox of',
  push: 'The browser at',
  ntfy: 'The ntfy topic',
};

const PLACES: Readonly<Record<Phone['channel'], string>> = {
  whatsapp: 'phone',
  email: 'address',
  push: 'browser',
  ntfy: 'topic',
};

/** HTML of the local outbox: the messages of each phone, inbox and browser, and a form to reply. */
export function outboxPage(view: OutboxView, options: OutboxPageOptions): string {
  const { brandName, news } = options;
  return html`<main class="outbox">
<h1>Local outbox</h1>
<p>No message provider is configured, so what we’d send appears here. Set up a price alert on <a href="/">${brandName}</a> with 07700 900123 or someone@example.com, then reply YES here or open the email’s link.</p>
<form method="get" action="/outbox"><button class="quiet">Refresh</button></form>
${news !== null && html`<p class="news" role="status">${news}</p>`}
${view.phones.length === 0 ? html`<p class="empty">No alerts have been set up yet.</p>` : view.phones.map((phone) => phoneSection(phone, options))}
</main>`.text;
}

function phoneSection(phone: Phone, { hasSampleMarket }: OutboxPageOptions): Html {
  const { contact, channel, name, isStopped, messages, hasWatches } = phone;
  return html`<section class="phone" aria-labelledby="phone-${contact}">
<h2 id="phone-${contact}">${HEADINGS[channel]} ${name}</h2>
<ol class="messages" aria-label="Messages">
${messages.map((message) => messageItem(contact, message))}
</ol>
${isStopped && html`<p class="stopped">Unsubscribed. We send nothing more to this ${PLACES[channel]}.</p>`}
${channel === 'whatsapp' && replyForms(contact)}
<div class="answers">
${messages.some(({ waitsUntil }) => waitsUntil !== null) && postForm('send', { contact }, html`<button class="quiet">Send what waits now</button>`)}
${hasWatches && hasSampleMarket && postForm('drop', { contact }, html`<button class="quiet">Ask the sample market for a price drop</button>`)}
</div>
</section>`;
}

function messageItem(contact: number, message: Message): Html {
  const { at, state, reason, text, buttons, waitsUntil } = message;
  const label = Object.hasOwn(STATES, state) ? STATES[state] : null;
  const note =
    waitsUntil === null
      ? label && html`<p class="note">${label}${reason !== null && `: ${reason}`}</p>`
      : html`<p class="note">Waits until ${CLOCK.format(waitsUntil)}. Quiet hours and the limit of one alert a day apply here too.</p>`;
  return html`<li class="message ${state}">${note}<p class="text">${text === null ? 'A price drop. We write its text when we send it.' : linked(text)}</p>
${buttons.map(({ title, payload }) => postForm('answer', { contact, payload }, html`<button class="quiet" name="text" value="${title}">${title}</button>`))}
<time datetime="${new Date(at).toISOString()}">${CLOCK.format(at)}</time></li>`;
}

function replyForms(contact: number): Html {
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

function postForm(act: string, fields: Readonly<Record<string, string | number>>, button: Html): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="/outbox/${act}">${inputs}${button}</form>`;
}

const BREAK = html`<br>`;

/** A text with clickable URLs and its line breaks. */
function linked(text: string): Html[] {
  return text.split(/(https?:\/\/\S+|\n)/).map((part) => {
    if (part === '\n') return BREAK;
    return /^https?:/.test(part) ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`;
  });
}
