import { escapeHtml } from './escape-html.ts';
import type { OutboxView } from './outbox-view.ts';

type Phone = OutboxView['phones'][number];
type Message = Phone['messages'][number];

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

/** The local outbox: each phone with its messages as it would show them, and ways to answer. */
export function outboxPage(
  view: OutboxView,
  setting: { brandName: string; hasSampleMarket: boolean; news: string | null },
): string {
  const brand = escapeHtml(setting.brandName);
  const phones = view.phones.map((phone) => phoneSection(phone, setting.hasSampleMarket)).join('\n');
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local outbox – ${brand}</title>
<link rel="stylesheet" href="/outbox/outbox.css">
</head>
<body>
<header>
<h1>Local outbox</h1>
<p>No provider is configured, so messages are delivered here and to nobody. Set up a price alert on <a href="/">${brand}</a>, answer YES, and ask for a price drop.</p>
<form method="get" action="/outbox"><button>Look again</button></form>
</header>
${setting.news === null ? '' : `<p class="news" role="status">${escapeHtml(setting.news)}</p>`}
<main>
${phones === '' ? '<p class="empty">Nobody has set up an alert yet.</p>' : phones}
</main>
</body>
</html>
`;
}

function phoneSection(phone: Phone, hasSampleMarket: boolean): string {
  const { person, ending, isStopped } = phone;
  const heading = `phone-${person}`;
  return `<section class="phone" aria-labelledby="${heading}">
<h2 id="${heading}">The phone ending in ${escapeHtml(ending)}</h2>
${isStopped ? '<p class="stopped">Stopped. Nothing more is sent to this phone.</p>' : ''}
<ol class="messages" aria-label="Messages">
${phone.messages.map(messageItem).join('\n')}
</ol>
<div class="answers" role="group" aria-label="Answer from this phone">
${['YES', 'STOP', 'LIST'].map((word) => answerForm(person, word)).join('\n')}
<form method="post" action="/outbox/answer" class="own">
<input type="hidden" name="person" value="${person}">
<label for="words-${person}">In other words</label>
<input id="words-${person}" name="text" maxlength="200" autocomplete="off">
<button>Send</button>
</form>
</div>
${watchList(phone, hasSampleMarket)}
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

function watchList({ watches }: Phone, hasSampleMarket: boolean): string {
  if (watches.length === 0) return '';
  const items = watches.map(({ id, number, isActive, description, price }) => {
    const ask =
      isActive && hasSampleMarket && price !== null
        ? `<form method="post" action="/outbox/drop"><input type="hidden" name="watch" value="${id}"><button>Ask the sample market for a price drop</button></form>`
        : '';
    const state = isActive ? '' : ' <em>waits for YES</em>';
    return `<li value="${number}">${escapeHtml(description)}${price === null ? '' : `, ${escapeHtml(price)} now`}.${state}${ask}</li>`;
  });
  return `<h3>Watching</h3>
<ol class="watches">
${items.join('\n')}
</ol>
${hasSampleMarket ? '<p class="hint">A drop that you ask for is sent at once, also in quiet hours, and beyond the one message a day.</p>' : ''}`;
}

function linked(escaped: string): string {
  return escaped
    .replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}" rel="noreferrer">${address}</a>`)
    .replace(/\n/g, '<br>');
}
