import { clockTime, type QuietHours } from '../../../domain/quiet-hours.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import { definitionOf } from '../providers/providers.ts';
import { CONFIRMATION_DAYS, CONFIRMATION_REQUEST_DAYS } from '../tables/retention.ts';

/** The page depends on the settings of this installation. */
export interface PrivacyPageOptions {
  brandName: string;
  providerName: string;
  providerUrl: string;
  alerts: Pick<
    AlertsConfig,
    'confirmation' | 'quietHours' | 'retentionDays' | 'provider' | 'conversationEndpoint'
  >;
}

/** HTML of `/privacy`: what this installation does with a number given for price alerts. */
export function privacyPage({ brandName, providerName, providerUrl, alerts }: PrivacyPageOptions): string {
  const brand = escapeHtml(brandName);
  return `<main class="plain-text">
<h1>Price alerts and your number</h1>
<p>This page says what ${brand} does with a phone number that is given to it for price alerts. Searching needs no number.</p>
${elsewhere(alerts.conversationEndpoint)}
<h2>Who sends</h2>
<p>${brand} does. ${definitionOf(alerts.provider).carrier}</p>

<h2>What we keep, and why</h2>
<ul>
<li>Your number, your email address, or the address of your browser at its push service, encrypted, because we need it to write to you. Your browser keeps a random name, so that one stop can end all of its alerts.</li>
<li>Which holiday you are watching, and the messages that we sent about it.</li>
<li>That you agreed, in which words and when. This record holds a keyed fingerprint of the number in place of the number.</li>
<li>How many of the links in our messages are opened in a day, and not by whom.</li>
<li>For an hour, a keyed fingerprint of the internet address that a sign-up came from, so that nobody can sign up numbers by the thousand.</li>
</ul>
<p>Of the holiday that your browser sends us we keep its key alone. No name is asked for. We give or sell the number to nobody else, and use it for these alerts and nothing more.</p>

<h2>What you get</h2>
<p>${beginning(alerts.confirmation)} After that you get a message when the holiday or a similar one drops in price: at most one a day${quietWords(alerts.quietHours)}.</p>

<h2>How to stop</h2>
<p>An email and a notification have a button to stop. On WhatsApp reply STOP to any message, in your own words. We answer once. Every alert for the number ends at once, and the number’s fingerprint goes on a list so that it is not written to again. Reply START if you change your mind, and LIST to see what you are watching.</p>

<h2>How long we keep it</h2>
<ul>
<li>A watch ends when the holiday departs. What was asked for and not answered ends after ${CONFIRMATION_DAYS} days, and for ${CONFIRMATION_REQUEST_DAYS} days we remember, by fingerprint, not to ask again.</li>
<li>An ended watch, its messages and the number are deleted ${days(alerts.retentionDays)} later.</li>
<li>The record that you agreed is deleted after two years. The fingerprint on the stop list stays.</li>
</ul>

<h2>Your rights</h2>
<p>Each message has a link to a page with your alerts. There you can download what is kept about you, or delete it. You may also ask what is kept about your number, have it erased, or complain to the <a href="https://ico.org.uk/" rel="noreferrer">Information Commissioner’s Office</a>. Ask through <a href="${escapeHtml(providerUrl)}" rel="noreferrer">${escapeHtml(providerName)}</a>. Reply DELETE to any message, and what is kept about your number is erased.</p>
<p><a href="/">Back to the search</a></p>
</main>`;
}

function elsewhere(conversationEndpoint: string | null): string {
  if (conversationEndpoint === null || conversationEndpoint === '') return '';
  const host = escapeHtml(new URL(conversationEndpoint).host);
  return `<p>Alerts that are set up on this site’s pages are handled at ${host}. What follows is true of numbers that are given to this server.</p>`;
}

function beginning(confirmation: AlertsConfig['confirmation']): string {
  return confirmation === 'required'
    ? 'First one message that says who writes, what is watched and how to stop. It asks whether it was you, and nothing more comes unless you answer YES.'
    : 'First one message that says who writes, what is watched and how to stop.';
}

function quietWords(quiet: QuietHours): string {
  return quiet === null ? '' : `, and none between ${clockTime(quiet.from)} and ${clockTime(quiet.until)}`;
}

function days(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}
