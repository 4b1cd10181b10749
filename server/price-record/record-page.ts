import { formatPlainDate } from '../../domain/day-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import { type Html, html } from '../lib/html.ts';
import type { RecordState } from './record-store.ts';
import type { Score } from './scores.ts';
import { ROOTS_FILE, SCORES_FILE } from './verify-record.ts';

/** How many of the latest files the page links to. `roots.csv` names all of them. */
const LISTED_FILES = 14;

/** The HTML of `/price-record`. */
export function recordPage(
  { roots, scores, isAdviceOff }: RecordState,
  brandName: string,
  isSample: boolean,
): string {
  const scoreOf = (name: string) => scores.find((one) => one.name === name) ?? null;
  const latest = roots.at(-1);
  return html`<main class="plain-text price-record">
<h1>Price record</h1>
<p>Each day we publish up to 1,000 of the verdicts that ${brandName} gives on prices, before our model learns that day’s prices. We publish what became of them 7 and 14 days later, whether or not we were right.</p>
<p>We can’t choose them. Half are drawn at random from everything on sale and half from first pages of searches, by a number that follows from the files before.</p>
${isSample && html`<p class="notice is-waiting">This is a demo: its holidays, and so this record, are made up.</p>`}
${
  latest === undefined
    ? html`<p>The first file appears once holidays are on sale.</p>`
    : html`
<h2>Does the range hold?</h2>
${coverage(scoreOf('coverage-7'), 'a week')}
${coverage(scoreOf('coverage-14'), 'two weeks')}
<h2>Wins and losses</h2>
<p>A Low price wins if it is higher a week later, and a High price if it is lower. No change is a loss. The simple rule calls a price Low or High at 10% from the holiday’s own median.</p>
${plot([
  ['Our Low', scoreOf('low-7')],
  ['Simple rule’s Low', scoreOf('low-rule-7')],
  ['Our High', scoreOf('high-7')],
  ['Simple rule’s High', scoreOf('high-rule-7')],
])}
${margin('Low', scoreOf('low-margin-7'))}
${margin('High', scoreOf('high-margin-7'))}
${brier(scoreOf('brier-7'))}
<h2>Book or wait?</h2>
${isAdviceOff && html`<p class="notice is-waiting">Our advice is off, because following it hasn’t beaten booking at once. We go on testing it here.</p>`}
${followed(scoreOf('followed-7'))}
<h2>What became of them</h2>
${outcomes(scoreOf, 7)}
${outcomes(scoreOf, 14)}
<h2>Check it yourself</h2>
<p>Each file has a root, which covers all files before it. Download the files, then run <code>npm run price:record -- verify FOLDER</code> in Skylark’s source: it recomputes every root and score from the files alone. The rules are at the top of each file.</p>
<ul class="record-files">
<li><a href="/price-record/${ROOTS_FILE}">All roots</a></li>
<li><a href="/price-record/${SCORES_FILE}">All scores</a></li>
${roots
  .slice(-LISTED_FILES)
  .toReversed()
  .map(({ day }) => html`<li><a href="/price-record/${day}.csv">${formatPlainDate(day)}</a></li>`)}
</ul>
<h2>What this proves, and what it doesn’t</h2>
<p>If you have an old root, from this page or one of our price alerts, you can tell whether any file up to that day was changed since.</p>
<p>Without a copy that we don’t control, the chain proves nothing: we could rewrite every file and compute new roots. So keep a root, or the files.</p>
<p>It doesn’t prove that a price was on sale when we say so. It covers the verdicts that were drawn, not all of them.</p>
<p class="record-root">Root of ${formatPlainDate(latest.day)}: <code>${latest.root}</code></p>`
}
<p><a href="/how-we-price">How we price</a></p>
</main>`.text;
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)}%`;
}

function interval({ low, high }: Score, format: (value: number | null) => string): string {
  return `95% interval ${format(low)} to ${format(high)}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
}

function coverage(score: Score | null, time: string): Html {
  if (score === null || score.value === null) return html`<p>After ${time}: nothing is settled yet.</p>`;
  return html`<p>After ${time}, ${percent(score.value)} of ${counted(score.lines, 'price')} were in our range (${interval(score, percent)}). It should be 80%.</p>`;
}

/** Bars of equal scale: losses to the left, wins to the right. */
function plot(rows: readonly (readonly [label: string, score: Score | null])[]): Html {
  return html`<table class="record-plot"><thead><tr><th scope="col">Calls</th><th scope="col">Lost</th><th scope="col"><span class="record-mid">Lost and won, of all calls</span></th><th scope="col">Won</th></tr></thead><tbody>${rows.map(
    ([label, score]) => {
      const [lines, won] = [score?.lines ?? 0, score?.sum ?? 0];
      const share = lines === 0 ? 0 : (100 * won) / lines;
      const lost = lines === 0 ? 0 : 100 - share;
      return html`<tr><th scope="row">${label}</th><td>${lines - won}</td><td><svg viewBox="-100 0 200 16" preserveAspectRatio="none" aria-hidden="true"><rect class="lost" x="${-lost}" y="2" width="${lost}" height="12"/><rect class="won" x="0" y="2" width="${share}" height="12"/><rect class="middle" x="-0.4" y="0" width="0.8" height="16"/></svg></td><td>${won}</td></tr>`;
    },
  )}</tbody></table>`;
}

function margin(level: string, score: Score | null): Html | null {
  if (score === null || score.value === null) return null;
  const points = (value: number | null) => (value === null ? '–' : (100 * value).toFixed(1));
  const words = score.value > 0 ? 'more' : 'less';
  return html`<p>Our ${level} wins ${points(Math.abs(score.value))} percentage points ${words} often than the simple rule’s (${interval(score, points)}).</p>`;
}

function brier(score: Score | null): Html | null {
  if (score === null || score.value === null) return null;
  const plain = (value: number | null) => (value === null ? '–' : value.toFixed(3));
  return html`<p>Brier score of our probability that a price falls within a week: ${plain(score.value)} (${interval(score, plain)}). 0 is perfect, and 0.25 is a coin.</p>`;
}

function followed(score: Score | null): Html {
  if (score === null || score.value === null)
    return html`<p>We’ve advised nobody to wait yet. Advice starts once 300 prices of a kind are settled, and only if waiting a week has clearly paid.</p>`;
  const pounds = (value: number | null) =>
    value === null ? '–' : `${value < 0 ? '−' : ''}${formatWholePounds(Math.abs(Math.round(value)))}`;
  const verb = score.value > 0 ? 'saved' : 'lost';
  return html`<p>Following our advice to wait ${verb} ${formatWholePounds(Math.abs(Math.round(score.value)))} a holiday against booking at once, and ${pounds(score.sum)} in all, over ${counted(score.lines, 'holiday')} (${interval(score, pounds)}). Sold out counts as a tenth of the price lost.</p>`;
}

function outcomes(scoreOf: (name: string) => Score | null, after: number): Html | null {
  const seen = scoreOf(`seen-${after}`);
  if (seen === null || seen.lines === 0) return null;
  const count = (name: string) => (scoreOf(`${name}-${after}`)?.sum ?? 0).toLocaleString('en-GB');
  return html`<p>After ${after} days, of ${counted(seen.lines, 'verdict')}: ${count('seen')} still had a price, ${count('sold-out')} sold out, ${count('departed')} were about to depart, and for ${count('not-seen')} the provider sent no prices.</p>`;
}
