import { escapeHtml } from '../../lib/escape-html.ts';
import type { OutboxView } from '../status/outbox-view.ts';

type Phone = OutboxView['phones'][number];
type Message = Phone['messages'][number];
type Watch = Phone['watches'][number];

interface OutboxPageOptions {
  brandName: string;
  hasSampleMarket: boolean;
  /** What the last click came to. */
  news: string | null;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** What a message's state is called on the page; a delivered one needs no word. */
const STATES: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  sending: 'Being sent',
  unknown: 'Nobody knows whether it was sent',
  accepted: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};

/** HTML of the local outbox: each phone with its messages as it would show them, and ways to answer. */
export function outboxPage(view: OutboxView, setting: OutboxPageOptions): string {
  const { brandName, news } = setting;
  const brand = escapeHtml(brandName);
  const phones = view.phones.map((phone) => phoneSection(phone, setting)).join('\n');
  return `<main class="outbox">
<h1>Local outbox</h1>
<p>No message provider is configured, so messages come here and go to no phone. To see the whole loop:</p>
<ol class="steps">
<li>Search on <a href="/">${brand}</a>, and on any holiday choose ‘Set up price alerts’. A number for trying is 07700 900123.</li>
<li>Here, answer YES.</li>
<li>Ask the sample market for a price drop, and read the alert.</li>
<li>Answer STOP.</li>
</ol>
<form method="get" action="/outbox"><button class="quiet">Look again</button></form>
${news === null ? '' : `<p class="news" role="status">${escapeHtml(news)}</p>`}
${phones === '' ? '<p class="empty">Nobody has set up an alert yet.</p>' : phones}
</main>`;
}

function phoneSection(phone: Phone, setting: OutboxPageOptions): string {
  const { person, ending, isStopped, watches, messages } = phone;
  const heading = `phone-${person}`;
  return `<section class="phone" aria-labelledby="${heading}">
<h2 id="${heading}">The phone ending in ${escapeHtml(ending)}</h2>
<div class="screen">
<p class="sender">${escapeHtml(setting.brandName)}</p>
<ol class="messages" aria-label="Messages">
${messages.map(messageItem).join('\n')}
</ol>
${isStopped ? '<p class="stopped">Stopped. Nothing more is sent to this phone.</p>' : ''}
<div class="answers" id="answer-${person}" role="group" aria-label="Answer from this phone">
${['YES', 'STOP', 'LIST'].map((word) => answerForm(person, word)).join('\n')}
<form method="post" action="/outbox/answer" class="own">
<input type="hidden" name="person" value="${person}">
<label for="words-${person}">In other words</label>
<input id="words-${person}" name="text" maxlength="200" autocomplete="off">
<button>Send</button>
</form>
</div>
</div>
${watchList(person, watches, setting.hasSampleMarket)}
</section>`;
}

function messageItem({ at, state, reason, text }: Message): string {
  const told = Object.hasOwn(STATES, state) ? STATES[state] : null;
  const note =
    told === null
      ? ''
      : `<p class="note">${escapeHtml(`${told}${reason === null ? '' : `: ${reason}`}`)}</p>`;
  const words =
    text === null
      ? '<p class="text waiting">A price drop. It is written when it is sent.</p>'
      : `<p class="text">${linked(escapeHtml(text))}</p>`;
  return `<li class="message ${escapeHtml(state)}">${words}${note}<time datetime="${new Date(at).toISOString()}">${CLOCK.format(at)}</time></li>`;
}

function answerForm(person: number, word: string): string {
  return `<form method="post" action="/outbox/answer"><input type="hidden" name="person" value="${person}"><button name="text" value="${word}">${word}</button></form>`;
}

function watchList(person: number, watches: readonly Watch[], hasSampleMarket: boolean): string {
  if (watches.length === 0) return '';
  const hint =
    'A drop that you ask for is sent at once, also in quiet hours, and beyond the one message a day.';
  return `<div class="watching">
<h3>Watching</h3>
<ol class="watches">
${watches.map((watch) => watchItem(person, watch, hasSampleMarket)).join('\n')}
</ol>
${hasSampleMarket ? `<p class="hint">${hint}</p>` : ''}
</div>`;
}

function watchItem(
  person: number,
  { id, number, isActive, description, price }: Watch,
  hasSampleMarket: boolean,
): string {
  const ask =
    isActive && hasSampleMarket && price !== null
      ? `<form method="post" action="/outbox/drop"><input type="hidden" name="person" value="${person}"><input type="hidden" name="watch" value="${id}"><button class="quiet">Ask the sample market for a price drop</button></form>`
      : '';
  const cost = price === null ? '' : ` <strong>${escapeHtml(price)} now.</strong>`;
  const state = isActive ? '' : ' <em>It waits for YES.</em>';
  return `<li value="${number}">${escapeHtml(description)}.${cost}${state}${ask}</li>`;
}

function linked(escaped: string): string {
  return escaped
    .replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}" rel="noreferrer">${address}</a>`)
    .replace(/\n/g, '<br>');
}
