import { formatWholePounds } from '../../domain/money.ts';
import type { Finding } from '../conditions/condition.ts';
import type { VitalSummary } from '../conditions/server-view.ts';
import { type Html, type HtmlValue, html } from '../lib/html.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { VERSION } from '../lib/version.ts';
import type { AdminFacts } from './admin-facts.ts';
import { barPlot } from './bar-plot.ts';

/** Why a sign-in failed. */
export const SIGN_IN_NEWS = {
  wrong: 'That password is not right.',
  limited: 'Too many attempts. Wait a minute, then try again.',
} as const;

/** The result of what an operator did. */
export const ADMIN_NEWS = {
  accept: 'The feed has been imported.',
  discard: 'The feed has been discarded.',
  run: 'The feed has been run.',
  held: 'The feed is held for your review: see below.',
  rollback: 'The earlier feed is back on sale.',
  notice: 'The notice has been sent.',
  silence: 'There will be no notice about it until that day.',
  running: 'That is still running. Reload to see how it ends.',
  failed: 'That failed: see the attempts below, and the log.',
  changed: 'Nothing was changed: that feed no longer needs a decision.',
} as const;

export type AdminNews = keyof typeof ADMIN_NEWS;

export function signInPage(
  path: string,
  news: keyof typeof SIGN_IN_NEWS | null,
): { title: string; main: string } {
  const { text } = html`<main class="admin plain-text">
<h1>Sign in</h1>
${news !== null && html`<p class="notice is-wrong" role="alert" id="news">${SIGN_IN_NEWS[news]}</p>`}
<form method="post" action="${path}/sign-in">
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200"${news === 'wrong' && html` aria-invalid="true" aria-describedby="news"`}></p>
<button class="button-action">Sign in</button>
</form>
<p>Forgotten it? Set another with <code>${installedCommand('admin', 'password')}</code>.</p>
</main>`;
  return { title: 'Sign in', main: text };
}

export interface AdminView {
  path: string;
  facts: AdminFacts;
  /** What is wrong with this server and its machine. */
  problems: readonly Finding[];
  vitals: readonly VitalSummary[];
  freeBytes: number | null;
  formToken: string;
  news: AdminNews | null;
}

export function adminPage({ path, facts, problems, vitals, freeBytes, formToken, news }: AdminView): {
  title: string;
  main: string;
} {
  const { text } = html`<main class="admin">
<h1>Operations</h1>
${news !== null && html`<p class="${news === 'failed' || news === 'changed' ? 'notice is-wrong' : 'notice'}" role="status">${ADMIN_NEWS[news]}</p>`}
<form method="post" action="${path}/sign-out"><input type="hidden" name="token" value="${formToken}">
<button class="button-quiet">Sign out</button></form>
<p>As of ${instant(facts.at)}. Reload for newer figures. <code>${installedCommand('admin', 'show')}</code> prints them.</p>
${problemSection([...problems.map(({ key, title, text }) => ({ key, title, text, since: null, silentUntil: null })), ...facts.problems], { path, token: formToken })}
${healthSection(facts, freeBytes)}
${feedSection(facts, path, formToken)}
${inventorySection(facts)}
${accuracySection(facts)}
${alertSection(facts)}
${vitalSection(vitals)}
</main>`;
  return { title: 'Operations', main: text };
}

/** Where forms go, and their token. */
interface FormTarget {
  path: string;
  token: string;
}

function problemSection(problems: AdminFacts['problems'], target: FormTarget): Html {
  const items = problems.map(
    ({ key, title, text, since, silentUntil }) =>
      html`<li><strong>${title}</strong>${since !== null && html` since ${instant(since)}`}. ${withCommands(text)}
${silentUntil !== null && html`No notice until ${instant(silentUntil).slice(0, 10)}.`}${since !== null && silenceForm(key, title, target)}</li>`,
  );
  return section(
    'Problems',
    html`${problems.length === 0 ? html`<p class="notice">There are no problems.</p>` : html`<ul class="notice is-wrong">${items}</ul>`}
${question('Test notices', 'This sends one by email and webhook, as you have set.', html`<button class="button-quiet" name="act" value="notice">Send a test notice</button>`, target)}`,
  );
}

function silenceForm(key: string, title: string, target: FormTarget): Html {
  return question(
    'Silence it',
    'You get no notice about it until this day.',
    html`<input type="hidden" name="problem" value="${key}"><label>Until <input type="date" name="until" required aria-label="Silence ‘${title}’ until"></label>
<button class="button-quiet" name="act" value="silence">Silence it</button>`,
    target,
  );
}

/** An act that is confirmed where the operator opens it. */
function question(title: string, what: string, fields: Html, { path, token }: FormTarget): Html {
  return html`<details><summary>${title}</summary><form method="post" action="${path}/act">
<p>${what}</p><input type="hidden" name="token" value="${token}">${fields}</form></details>`;
}

/** Renders what stands between backticks as code. */
function withCommands(text: string): HtmlValue {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function healthSection({ store, replicas }: AdminFacts, freeBytes: number | null): Html {
  const { backups, priceModels, bytes } = store;
  const rows: [string, HtmlValue][] = [
    ['Version', VERSION],
    [
      'Store',
      replicas === null
        ? `embedded, ${megabytes(bytes)}`
        : `PostgreSQL with ${replicas} replicas, ${megabytes(bytes)}`,
    ],
    ['Free disk', freeBytes === null ? 'unknown' : megabytes(freeBytes)],
    ['Last good backup', backups.goodAt === null ? 'none recorded' : instant(backups.goodAt)],
    ['Price models', priceModels === null ? 'none yet' : `version ${priceModels.version}`],
  ];
  return section('Health', list(rows));
}

function feedSection(
  { store, feeds, schedule, runnable }: AdminFacts,
  path: string,
  formToken: string,
): Html {
  const rows = store.imports.map(({ provider, last }) => [
    provider,
    instant(Date.parse(last.at)),
    ...[last.packages, last.added, last.changed, last.removed, last.refused].map(count),
  ]);
  const heads = ['Provider', 'Last import', 'Packages', 'New', 'Changed', 'Removed', 'Refused rows'];
  const reviews = feeds.flatMap((feed) =>
    feed.pendingReview === null
      ? []
      : [reviewForm(feed.provider, feed.pendingReview, { path, token: formToken })],
  );
  const attempts = feeds.map(
    ({ provider, attempts: lines }) => html`<details><summary>Attempts of ${provider}</summary>
<pre tabindex="0">${lines.join('\n')}</pre></details>`,
  );
  return section(
    'Feeds',
    html`${reviews}
<p><a href="${path}/new-provider">Add a provider</a>: Skylark proposes how to read its feed.</p>
${table('Last imports', heads, rows, 'No feed has been imported.')}
${schedule.length > 0 && html`<h3>What comes next</h3><ul>${schedule.map((line) => html`<li>${line}</li>`)}</ul>`}
${attempts}
${runnable.map((code) => feedForm(code, 'run', { path, token: formToken }))}
${feeds.map(({ provider }) => feedForm(provider, 'rollback', { path, token: formToken }))}`,
  );
}

function feedForm(provider: string, act: 'run' | 'rollback', target: FormTarget): Html {
  const [title, what, button] =
    act === 'run'
      ? [`Run the feed of ${provider} now`, `Fetch the feed of ${provider}, and import it?`, 'Run it']
      : [
          `Roll ${provider} back`,
          `Replace the packages of ${provider} with those of its last good feed before this one?`,
          'Roll it back',
        ];
  return question(
    title,
    what,
    html`<input type="hidden" name="provider" value="${provider}"><button class="button-action" name="act" value="${act}">${button}</button>`,
    target,
  );
}

function reviewForm(
  provider: string,
  { attempt, message }: { attempt: number; message: string },
  { path, token }: { path: string; token: string },
): Html {
  return html`<form class="notice is-wrong" method="post" action="${path}/act">
<p><strong>The feed of ${provider} needs your decision.</strong> ${message}</p>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="provider" value="${provider}"><input type="hidden" name="attempt" value="${attempt}">
<button class="button-action" name="act" value="accept">Import it</button>
<button class="button-quiet" name="act" value="discard">Discard it</button></form>`;
}

function inventorySection({ store, inventory }: AdminFacts): Html {
  const months = [...new Set(inventory.map(({ month }) => month))].toSorted();
  const totals = months.map((month) => sum(inventory.filter((one) => one.month === month)));
  const providers = [...new Set(inventory.map(({ provider }) => provider))];
  const rows = providers.map((provider) => {
    const own = inventory.filter((one) => one.provider === provider);
    return [provider, ...months.map((month) => count(sum(own.filter((one) => one.month === month))))];
  });
  return section(
    'Inventory',
    html`<p>${count(store.offers)} packages are on sale.</p>
${barPlot(
  months.map((name, at) => ({ name, value: totals[at] ?? 0 })),
  { label: 'Packages by month of departure', format: count },
)}
${table('Packages by provider and month of departure', ['Provider', ...months], rows, 'There are no packages.')}`,
  );
}

function accuracySection({ store }: AdminFacts): Html {
  const rows = store.accuracy.map(
    ({ provider, visits, same, up, medianUp, down, medianDown, soldOut, unknown, standing }) => [
      provider,
      ...[visits, same].map(count),
      withMedian(up, medianUp),
      withMedian(down, medianDown),
      ...[soldOut, unknown].map(count),
      standing ?? 'good',
    ],
  );
  const heads = [
    'Provider',
    'Clicks and checks',
    'Same',
    'Up',
    'Down',
    'Sold out',
    'Not compared yet',
    'Standing',
  ];
  return section(
    'Accuracy of clicked prices',
    table(
      'Clicks compared with the next feed, and checks with the response',
      heads,
      rows,
      'No clicks have been recorded.',
    ),
  );
}

function alertSection({ alerts, days, alertNotices }: AdminFacts): Html {
  const { watches, messages, people, due, oldestDueSeconds, stops, sending, channels, heldTemplates } =
    alerts;
  const paused = [{ channel: 'whatsapp', sending }, ...channels].filter(
    ({ sending: { isPaused } }) => isPaused,
  );
  const rows: [string, HtmlValue][] = [
    ['Watches', countsOf(watches)],
    ['Contacts', `${count(people)}, and ${count(stops)} suppressed`],
    ['Messages', countsOf(messages)],
    ['Due', due === 0 ? 'none' : `${count(due)}, the oldest for ${count(oldestDueSeconds)} seconds`],
    [
      'Sending',
      paused.length === 0
        ? 'on'
        : paused.map((one) => `${one.channel} paused: ${one.sending.reason ?? ''}`).join('; '),
    ],
    [
      'Rejected templates',
      heldTemplates.length === 0 ? 'none' : heldTemplates.map(({ template }) => template).join(', '),
    ],
  ];
  const sent = days.toReversed().map(({ day, sent: value }) => ({ name: day, value }));
  return section(
    'Price alerts',
    html`${list(rows)}
${barPlot(sent, { label: 'Messages sent by day', format: count })}
${table(
  'Messages sent and their cost, by day',
  ['Day', 'Sent', 'Cost'],
  days.map((day) => [day.day, count(day.sent), formatWholePounds(day.pence)]),
  'No messages have been sent.',
)}
${alertNotices.length > 0 && html`<h3>Notices</h3><ul>${alertNotices.map(({ at, text }) => html`<li>${instant(at)}: ${text}</li>`)}</ul>`}`,
  );
}

function vitalSection(vitals: readonly VitalSummary[]): Html {
  const rows = vitals.map(({ name, page, measurements, p75 }) => [
    `${name}, ${page}`,
    count(measurements),
    Number.isFinite(p75) ? `at most ${p75} s` : 'very slow',
  ]);
  const nothing = 'Visitors’ browsers have reported nothing since this server started.';
  return section(
    'The page in visitors’ browsers',
    table(
      'Web Vitals since the start of this server',
      ['Measurement', 'Reports', '75th percentile'],
      rows,
      nothing,
    ),
  );
}

function section(title: string, content: Html): Html {
  return html`<section><h2>${title}</h2>
${content}
</section>`;
}

function list(rows: readonly [string, HtmlValue][]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A table in which each row's first cell is its heading. Wide tables can be scrolled with the keyboard. */
function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  nothing: string,
): Html {
  if (rows.length === 0) return html`<p>${nothing}</p>`;
  const body = rows.map(
    ([
      name,
      ...cells
    ]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  );
  return html`<div class="admin-table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${body}</tbody></table></div>`;
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, many]) => `${count(many)} ${name}`);
  return words.length === 0 ? 'none' : words.join(', ');
}

function withMedian(many: number, median: number | null): string {
  return median === null ? count(many) : `${count(many)} (by ${median.toFixed(1)}%)`;
}

function sum(rows: readonly { packages: number }[]): number {
  return rows.reduce((total, { packages }) => total + packages, 0);
}

function count(many: number): string {
  return many.toLocaleString('en-GB');
}

function megabytes(bytes: number): string {
  return `${count(Math.round(bytes / 1e6))} MB`;
}

function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
