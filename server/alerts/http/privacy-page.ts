import { clockTime, type QuietHours } from '../../../domain/quiet-hours.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Operator } from '../../page/operator.ts';
import type { AlertsConfig } from '../alerts-config.ts';
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
<p>You can search without giving us anything. We set no cookies. We count clicks to providers and page loads, but not who made them. This notice is about the number or address that you give us for price alerts.</p>

<h2>Who we are</h2>
<p>${operator.name === null ? `${brandName} runs this site` : `${operator.name} runs ${brandName}`} and is responsible for your data (the “controller”).${operator.postalAddress === null ? '' : ` Write to us at ${operator.postalAddress}.`}${emailWords(operator.email)}</p>
<p>Our lawful basis for keeping your data for price alerts is ${operator.lawfulBasis}. You can withdraw at any time: see “How to stop”.</p>
${elsewhere(alerts.conversationEndpoint)}
<h2>Who sends the messages</h2>
<p>${brandName} does. ${definitionOf(alerts.provider).carrier}</p>

<h2>What we keep, and why</h2>
<ul>
<li>Your number, your email address, or your browser’s address at its push service, encrypted, so that we can message you. Your browser keeps a random name, so that one stop can end all of its alerts.</li>
<li>Which holidays you’re watching, the flexible search that each came from, if any, and the messages we sent about them.</li>
<li>That you agreed, in which words and when. This record has a keyed fingerprint of your number, not the number itself.</li>
<li>How many of the links in our messages are opened in a day, but not who opens them.</li>
<li>For an hour, a keyed fingerprint of the IP address that a sign-up came from, so that no one can sign up numbers by the thousand.</li>
</ul>
<p>Of the holiday itself we keep only the reference. We never ask for your name, never share or sell your number, and use it only for these alerts.</p>

<h2>What you get</h2>
<p>${beginning(alerts.confirmation)} After that we’ll tell you when the holiday, or a similar one, drops in price: one message a day at most${quietWords(alerts.quietHours)}.</p>

<h2>How to stop</h2>
<p>Every email and notification has an unsubscribe button. On WhatsApp, reply STOP to any message, in your own words. We confirm it once, end every alert for your number, and put the number’s fingerprint on a list so that we never message it again. Reply START if you change your mind, or LIST to see your alerts.</p>

<h2>How long we keep it</h2>
<ul>
<li>An alert ends when the holiday departs. Unconfirmed requests expire after ${CONFIRMATION_DAYS} days, and for ${CONFIRMATION_REQUEST_DAYS} days we remember, by fingerprint, not to ask again.</li>
<li>We delete an ended alert, its messages and the number ${days(alerts.retentionDays)} later.</li>
<li>We delete the record that you agreed after two years. The fingerprint on the stop list stays.</li>
</ul>

<h2>Your rights</h2>
<p>Each message has a link to a page with your alerts, where you can download or delete what we keep about you. Or reply DELETE to any message: we’ll ask you to confirm. You can also ask us what we keep about your number or complain to the <a href="https://ico.org.uk/" rel="noreferrer">Information Commissioner’s Office</a>. ${contactWords(operator)}</p>
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
  return confirmation === 'required'
    ? 'First, one message that says who we are, what you asked to watch and how to stop. If you don’t reply YES, we won’t message you again.'
    : 'First, one message that says who we are, what you asked to watch and how to stop.';
}

function quietWords(quiet: QuietHours): string {
  return quiet === null ? '' : `, and none between ${clockTime(quiet.from)} and ${clockTime(quiet.until)}`;
}

function days(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}
