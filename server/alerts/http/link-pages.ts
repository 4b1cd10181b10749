import { escapeHtml } from '../../lib/escape-html.ts';
import type { LinkAct, LinkView } from '../inbound/link-acts.ts';
import { MESSAGES } from '../rendering/channel-messages.ts';

export interface LinkPage {
  title: string;
  main: string;
}

/** The page behind an email's 'Yes, watch it'. */
export function confirmPage(view: LinkView, token: string, isDone: boolean): LinkPage {
  const { isStopped, waiting, waitingInAll } = view;
  if (isStopped) return stoppedPage(view, token);
  if (isDone || waiting.length === 0)
    return page(
      'Your price alerts are on',
      '<p role="status">You get an email when a holiday that you watch, or a similar one, drops in price: at most one a day. Each has a link to stop.</p>',
    );
  return page(
    'Confirm your price alerts',
    `<p>Do you want an email when one of these, or a similar holiday, drops in price?</p>
${list(waiting)}${othersLine(waitingInAll - waiting.length)}
<form class="link-form" method="post" action="/my-alerts/confirm?token=${escapeHtml(token)}"><button class="button-action">Yes, watch ${waiting.length === 1 ? 'it' : 'them'}</button></form>
<p>If you did not ask for this, close this page.</p>`,
  );
}

/** The page behind a stop link; `act` is what was just done, or null. */
export function stopPage(view: LinkView, token: string, act: LinkAct | null): LinkPage {
  if (act === 'start')
    return page(
      'Price alerts are allowed again',
      '<p role="status">Set up the alerts that you want on a holiday’s card.</p>',
    );
  if (act === 'watch' && !view.isStopped) {
    return page(
      'This alert has stopped',
      `<p role="status">Nothing more comes about that holiday.</p>
${forms(token, view, ['channel', 'everything'])}`,
    );
  }
  if (view.isStopped) return stoppedPage(view, token);
  const about = view.holiday === null ? '' : `<p>You are watching:</p>\n${list([view.holiday])}`;
  return page(
    'Stop price alerts',
    `${about}
${forms(token, view, view.holiday === null ? ['channel', 'everything'] : ['watch', 'channel', 'everything'])}`,
  );
}

export function unusablePage(): LinkPage {
  return page(
    'This link no longer works',
    '<p>It is incomplete or has expired, or everything about its address has been deleted. Nothing more is sent to a deleted address. The newest message has a link that works; on WhatsApp, reply LIST to get one.</p>',
  );
}

function stoppedPage({ channel }: LinkView, token: string): LinkPage {
  return page(
    'Stopped',
    `<p role="status">Nothing more from us: there will be no more ${MESSAGES[channel]}.</p>
<p>Did you change your mind?</p>
${button(token, 'start', 'Allow price alerts again', 'button-quiet')}`,
  );
}

function forms(
  token: string,
  { channel, hasOthers }: LinkView,
  choices: readonly ('watch' | 'channel' | 'everything')[],
): string {
  const labels = {
    watch: 'Stop this one',
    channel: `Stop all ${MESSAGES[channel]}`,
    everything: 'Stop everything, on every device and address of mine',
  };
  return choices
    .filter((choice) => choice !== 'everything' || hasOthers)
    .map((choice, index) =>
      button(token, choice, labels[choice], index === 0 ? 'button-action' : 'button-quiet'),
    )
    .join('\n');
}

function button(token: string, choice: string, label: string, className: string): string {
  return `<form class="link-form" method="post" action="/my-alerts/stop?token=${escapeHtml(token)}"><button class="${className}" name="choice" value="${choice}">${escapeHtml(label)}</button></form>`;
}

function othersLine(others: number): string {
  return others === 0 ? '' : `\n<p>And ${others} more.</p>`;
}

function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
}

function page(title: string, body: string): LinkPage {
  return {
    title,
    main: `<main class="plain-text">\n<h1>${escapeHtml(title)}</h1>\n${body}\n<p><a href="/">Back to the search</a></p>\n</main>`,
  };
}
