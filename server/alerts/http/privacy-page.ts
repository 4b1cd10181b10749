import { clockTime, type QuietHours } from '../../../domain/quiet-hours.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Operator } from '../../page/operator.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import { LINK_DAYS } from '../keys/signed-link.ts';
import { definitionOf } from '../providers/providers.ts';
import { CONFIRMATION_DAYS, CONFIRMATION_REQUEST_DAYS } from '../tables/retention.ts';

export interface PrivacyPageOptions {
  brandName: string;
  operator: Operator;
  alerts: Pick<
    AlertsConfig,
    'confirmation' | 'quietHours' | 'retentionDays' | 'provider' | 'conversationEndpoint'
  >;
}

/** HTML of `/privacy`: who runs this installation, and what it does with a number given for price alerts. */
export function privacyPage({ brandName, operator, alerts }: PrivacyPageOptions): string {
  return html`<main class="plain-text">
<h1>How we look after your data</h1>
<p>You can search without telling us who you are, and we set no cookies. When you open a provider’s link, or we check its price for you, we keep the holiday, the price, the time and one of 65,536 numbers that we make from your IP address: too few to tell who you are. We delete that after half a year. We measure how fast our pages load, and store nothing about you with it. Photos of hotels come from our server; a provider’s logo may come from the provider’s, which then sees your IP address. This notice is about the number, email address or browser that you give us for price alerts.</p>

<h2>Who we are</h2>
<p>${operator.name === null ? `${brandName} runs this site` : `${operator.name} runs ${brandName}`} and is responsible for your data (the “controller”).${operator.postalAddress === null ? '' : ` Write to us at ${operator.postalAddress}.`}${emailWords(operator.email)}</p>
<p>Our lawful basis for keeping your data for price alerts is ${operator.lawfulBasis}. You can withdraw at any time: see “How to stop”.</p>
${elsewhere(alerts.conversationEndpoint)}
<h2>Who sends the messages</h2>
<p>${brandName} does. ${definitionOf(alerts.provider).carrier} Emails travel through mail servers, which see your address. Browser alerts travel through your browser’s push service, encrypted. Messages to an ntfy topic can be read by its server, and by anyone who knows the topic.</p>

<h2>What we keep, and why</h2>
<ul>
<li>Your number, your email address, your ntfy topic, or your browser’s address at its push service, encrypted, so that we can message you.</li>
<li>Which holidays you’re watching, your price limit and the flexible search that each came from, if any, and the messages we sent about them.</li>
<li>That you agreed, in which words and when. This record has a keyed fingerprint of your number, not the number itself.</li>
<li>For about an hour, a keyed fingerprint of the IP address that a sign-up came from, and for about a day one of the number or address, so that no one can sign up numbers by the thousand.</li>
</ul>
<p>Of the holiday itself we keep only the reference. We don’t ask for your name. We don’t sell your number or address, pass it only to those who carry our messages, and use it only for these alerts.</p>
<p>Your device keeps your shortlist, your last searches and their results, and copies of our pages, lists and settings, so that they open without a network. If you set up email or browser alerts, it also keeps a random name, so that one stop can end all of them, and for browser alerts the address of your browser at its push service. To delete all this, clear this site’s data in your browser.</p>

<h2>What you get</h2>
<p>${beginning(alerts.confirmation)} After that we’ll tell you when the holiday, or a similar one, drops in price: one message a day at most${quietWords(alerts.quietHours)}.</p>

<h2>How to stop</h2>
<p>Every email has an unsubscribe link, and every ntfy notification a link to stop. To stop browser alerts, open ‘Your alerts’: your first notification leads there, and in browsers that show buttons, so does each later one. On WhatsApp, reply STOP to any message. We confirm it, pause every alert for your number, and put the number’s fingerprint on a list, so that it gets no more alerts. Reply START to bring your alerts back, or LIST to see them.</p>

<h2>How long we keep it</h2>
<ul>
<li>An alert ends when the holiday departs, even if you’ve paused it. Unconfirmed requests expire after ${CONFIRMATION_DAYS} days. We remember by fingerprint that we’ve asked, and ask again only if you sign up again: by email once more after ${LINK_DAYS.confirm} days, and otherwise only after ${CONFIRMATION_REQUEST_DAYS}.</li>
<li>We delete an ended alert, its messages and, if you have no other alert, the number ${days(alerts.retentionDays)} later.</li>
<li>We delete the record that you agreed after two years. The number’s fingerprint on the stop list stays until you reply START.</li>
</ul>

<h2>Your rights</h2>
<p>Our messages link to a page with your alerts, where you can download or delete what we keep about you. On WhatsApp, reply DELETE to get that link. You can also ask us what we keep about your number or address, or complain to the <a href="https://ico.org.uk/" rel="noreferrer">Information Commissioner’s Office</a>. ${contactWords(operator)}</p>
<p><a href="/">Back to search</a></p>
</main>`.text;
}

function emailWords(email: string | null): Html | null {
  return email === null ? null : html` Email <a href="mailto:${email}">${email}</a>.`;
}

function contactWords({ email, postalAddress }: Operator): Html | null {
  if (email === null && postalAddress === null) return null;
  return html`See “Who we are” for how to reach us.`;
}

function elsewhere(conversationEndpoint: string | null): Html | null {
  if (conversationEndpoint === null || conversationEndpoint === '') return null;
  const { host } = new URL(conversationEndpoint);
  return html`<p>Alerts that you set up on this site are handled by ${host}. What follows is about numbers given to this server.</p>`;
}

function beginning(confirmation: AlertsConfig['confirmation']): string {
  const yes =
    confirmation === 'required'
      ? ' On WhatsApp, your alert starts when you reply YES. If you don’t reply YES, we won’t message you again.'
      : '';
  return `First, one message that says who we are, what you asked to watch and how to stop.${yes} By email or ntfy, your alert starts when you confirm through the link in that message. In the browser, it starts immediately.`;
}

function quietWords(quiet: QuietHours): string {
  return quiet === null ? '' : `, and none between ${clockTime(quiet.from)} and ${clockTime(quiet.until)}`;
}

function days(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}
