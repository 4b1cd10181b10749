import type { Pence } from '../../../domain/money.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Channel } from '../tables/contacts.ts';
import { MESSAGES } from '../texts/contact-name.ts';
import type { LinkPage } from './own-page.ts';

/** What a form or a mail program requests. `watch` is the number that the person sees; null: the link's watch. */
export type LinkAct =
  | { kind: 'confirm' | 'start' | 'stop all' | 'stop everything' | 'delete' }
  | { kind: 'stop one'; watch: number | null }
  | { kind: 'pause' | 'resume'; watch: number }
  /** The highest price that deserves an alert; null: any. */
  | { kind: 'limit'; watch: number; below: Pence | null }
  | { kind: 'booked'; watch: number; price: Pence };

export interface LinkView {
  channel: Channel;
  isStopped: boolean;
  /** Whether the person has other contacts, which stopping everything would stop too. */
  hasOthers: boolean;
  /** The holiday that the link is about; null if it is about no single watch, or if the watch has ended. */
  holiday: string | null;
  /** The first holidays that await confirmation; empty for a stop link. */
  waiting: readonly string[];
  waitingInAll: number;
}

type StopChoice = 'watch' | 'channel' | 'everything';

/** The page behind the link that confirms, in an email or a notification. */
export function confirmPage(view: LinkView, token: string, act: LinkAct | null): LinkPage {
  const { isStopped, waiting, waitingInAll } = view;
  if (isStopped) return stoppedPage(view);
  if (act?.kind === 'confirm' || waiting.length === 0)
    return page(
      'Your price alerts are on',
      html`<p role="status">We’ll tell you when a holiday you’re watching, or a similar one, drops in price: once a day at most. Each message has a link to stop.</p>`,
    );
  const others = waitingInAll - waiting.length;
  return page(
    'Confirm your price alerts',
    html`<p>Shall we tell you when one of these, or a similar holiday, drops in price?</p>
${list(waiting)}
${others > 0 && html`<p>And ${others} more.</p>`}
<form class="link-form" method="post" action="/my-alerts/confirm?token=${token}"><button class="button-action">Yes, watch ${waiting.length === 1 ? 'it' : 'them'}</button></form>
<p>If you didn’t ask for this, close this page.</p>`,
  );
}

/** The page behind a stop link; `act` is what the person has just done, or null. */
export function stopPage(view: LinkView, act: LinkAct | null): LinkPage {
  if (act?.kind === 'start')
    return page(
      'Your price alerts are back on',
      html`<p role="status">They’re as they were before you stopped them.</p>`,
    );
  if (act?.kind === 'stop one' && !view.isStopped)
    return page(
      'This alert has stopped',
      html`<p role="status">You won’t hear about that holiday again.</p>
${forms(view, ['channel', 'everything'])}`,
    );
  if (view.isStopped) return stoppedPage(view);
  const about = view.holiday;
  return page(
    'Stop price alerts',
    html`${about !== null && html`<p>You’re watching:</p>\n${list([about])}`}
${forms(view, about === null ? ['channel', 'everything'] : ['watch', 'channel', 'everything'])}`,
  );
}

export function unusablePage(): LinkPage {
  return page(
    'This link no longer works',
    html`<p>It’s incomplete, has expired, or its data has been deleted. Try the link in your newest message, or reply LIST on WhatsApp for a new one.</p>`,
  );
}

function stoppedPage({ channel }: LinkView): LinkPage {
  return page(
    'You’re unsubscribed',
    html`<p role="status">You won’t get any more ${MESSAGES[channel]}.</p>
<p>Changed your mind?</p>
${button('start', 'Turn price alerts back on', 'button-quiet')}`,
  );
}

function forms({ channel, hasOthers }: LinkView, choices: readonly StopChoice[]): Html[] {
  const labels = {
    watch: 'Stop this one',
    channel: `Stop all ${MESSAGES[channel]}`,
    everything: 'Stop all alerts on all your devices and addresses',
  };
  return choices
    .filter((choice) => choice !== 'everything' || hasOthers)
    .map((choice, index) => button(choice, labels[choice], index === 0 ? 'button-action' : 'button-quiet'));
}

/** A form without an action posts to the page's own address, with its token. */
function button(choice: string, label: string, className: string): Html {
  return html`<form class="link-form" method="post"><button class="${className}" name="choice" value="${choice}">${label}</button></form>`;
}

function list(items: readonly string[]): Html {
  return html`<ul>\n${items.map((item) => html`<li>${item}</li>`)}\n</ul>`;
}

function page(title: string, body: Html): LinkPage {
  const { text } = html`<main class="plain-text">
<h1>${title}</h1>
${body}
<p><a href="/">Back to search</a></p>
</main>`;
  return { title, main: text };
}
