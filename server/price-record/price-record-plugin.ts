import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { formatPlainDate } from '../../domain/day-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import { type Html, html } from '../lib/html.ts';
import { addStylesheet } from '../page/html-page.ts';
import type { PriceRecordApi, RecordState } from './record-store.ts';
import type { Score } from './scores.ts';
import { ROOTS_FILE, SCORES_FILE } from './verify-record.ts';

const STYLESHEET = '/price-record.css';

/** How many of the latest files the page links to. `roots.csv` names all of them. */
const LISTED_FILES = 14;

const params = v.object({ name: v.pipe(v.string(), v.maxLength(20)) });

export interface PriceRecordOptions {
  priceRecord: PriceRecordApi;
  brandName: string;
  /** Whether the inventory is invented. If so, the page says so. */
  sampleInventory: boolean;
}

/** Serves `/price-record` and its files (docs/price-record.md). */
export async function priceRecordPlugin(app: FastifyInstance, options: PriceRecordOptions): Promise<void> {
  const { priceRecord, brandName, sampleInventory } = options;
  addStylesheet(app, STYLESHEET);
  app.get('/price-record', { config: { limit: 'store' } }, async (_request, reply) => {
    const main = recordPage(await priceRecord.state(), brandName, sampleInventory);
    const description = `How often ${brandName}’s price verdicts were right, and how often wrong.`;
    const page = app.writePage({ title: 'Price record', description, styles: [STYLESHEET], main });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
  app.get('/price-record/:name', { config: { limit: 'store' } }, async (request, reply) => {
    const parsed = v.safeParse(params, request.params);
    const text = parsed.success ? await priceRecord.file(parsed.output.name) : null;
    if (text === null) return reply.callNotFound();
    return reply.type('text/csv; charset=utf-8').header('cache-control', 'no-cache').send(text);
  });
}

function recordPage(
  { roots, scores, isAdviceOff }: RecordState,
  brandName: string,
  isSample: boolean,
): string {
  const scoreOf = (name: string) => scores.find((one) => one.name === name && one.value !== null);
  const latest = roots.at(-1);
  return html`<main class="plain-text price-record">
<h1>Price record</h1>
<p>Each day we publish up to 1,000 of the verdicts that ${brandName} gives on prices, before our model learns that day’s prices. We publish what became of them 7 and 14 days later, whether or not we were right.</p>
<p>We can’t choose them. Half are drawn at random from everything on sale and half from first pages of searches, by a number that follows from the files before.</p>
${isSample && html`<p class="notice is-waiting">This is a demo: its holidays, and so this record, are made up.</p>`}
${latest === undefined && html`<p>The first file appears once holidays are on sale.</p>`}
<h2>Does the range hold?</h2>
${coverage(scoreOf('coverage-7'), 'a week')}
${coverage(scoreOf('coverage-14'), 'two weeks')}
<h2>Wins and losses</h2>
<p>A Low price wins if it is higher a week later, and a High price if it is lower. No change is a loss. The simple rule calls a price Low or High at 10% from the holiday’s own median.</p>
<table class="record-plot"><thead><tr><th scope="col">Calls</th><th scope="col">Lost</th><th scope="col">Share lost and won</th><th scope="col">Won</th></tr></thead><tbody>
${['Low', 'High'].flatMap((call) => [
  bars(`Our ${call}`, scoreOf(`${call.toLowerCase()}-7`)),
  bars(`Simple rule’s ${call}`, scoreOf(`${call.toLowerCase()}-rule-7`)),
])}
</tbody></table>
${line('Share of wins of our Low, less the simple rule’s', scoreOf('low-margin-7'), percent)}
${line('Share of wins of our High, less the simple rule’s', scoreOf('high-margin-7'), percent)}
${line('Brier score of our chance of a fall within a week (0 is perfect, 0.25 a coin)', scoreOf('brier-7'), (value) => value.toFixed(3))}
<h2>Book or wait?</h2>
<p>Our advice starts once 300 prices of a kind are settled, and only if waiting a week has clearly cost or paid. Here we compare waiting, where we said that it had paid, with booking at once. Sold out counts as a tenth of the price lost.</p>
${isAdviceOff && html`<p class="notice is-waiting">Our advice is off, because following it hasn’t beaten booking at once. We go on testing it here.</p>`}
${line('Saved by a wait, on average', scoreOf('followed-7'), pounds)}
<p>Saved in all: ${scoreOf('followed-7') ? pounds(scoreOf('followed-7')?.sum ?? 0) : NOTHING}</p>
<h2>What became of them</h2>
${outcomes(scores, 7)}
${outcomes(scores, 14)}
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
<p><a href="/how-we-price">How we price</a></p>
${latest && html`<p class="record-root">Root of ${formatPlainDate(latest.day)}: <code>${latest.root}</code></p>`}
</main>`.text;
}

const NOTHING = 'nothing is settled yet.';
const signed = (value: number, text: string) => (value < 0 ? `−${text}` : text);
const percent = (value: number) => signed(value, `${Math.abs(100 * value).toFixed(1)}%`);
const pounds = (pence: number) => signed(pence, formatWholePounds(Math.abs(Math.round(pence))));
const count = (number = 0) => number.toLocaleString('en-GB');

function interval({ low, high }: Score, format: (value: number) => string): string {
  return `95% interval ${format(low ?? 0)} to ${format(high ?? 0)}`;
}

function coverage(score: Score | undefined, time: string): Html {
  if (!score) return html`<p>After ${time}: ${NOTHING}</p>`;
  return html`<p>After ${time}, ${percent(score.value ?? 0)} of ${count(score.lines)} prices were in our range (${interval(score, percent)}). It should be 80%.</p>`;
}

/** A row of bars of equal scale: losses to the left, wins to the right. */
function bars(label: string, { lines, sum, value }: Partial<Score> = {}): Html {
  const [won, share] = [sum ?? 0, 100 * (value ?? 0)];
  const lost = lines === undefined ? 0 : 100 - share;
  return html`<tr><th scope="row">${label}</th><td>${(lines ?? 0) - won}</td><td><svg viewBox="-100 0 200 16" preserveAspectRatio="none" aria-hidden="true"><rect class="lost" x="${-lost}" y="2" width="${lost}" height="12"/><rect class="won" x="0" y="2" width="${share}" height="12"/><rect class="middle" x="-0.4" y="0" width="0.8" height="16"/></svg></td><td>${won}</td></tr>`;
}

function line(label: string, score: Score | undefined, format: (value: number) => string): Html {
  if (!score) return html`<p>${label}: ${NOTHING}</p>`;
  return html`<p>${label}: ${format(score.value ?? 0)} (${interval(score, format)})</p>`;
}

function outcomes(scores: readonly Score[], after: number): Html {
  const [seen, soldOut, notSeen, departed] = ['seen', 'sold-out', 'not-seen', 'departed'].map((name) =>
    scores.find((one) => one.name === `${name}-${after}`),
  );
  return html`<p>After ${after} days, of ${count(seen?.lines)} verdicts: ${count(seen?.sum)} still had a price, ${count(soldOut?.sum)} sold out, ${count(departed?.sum)} were about to depart, and for ${count(notSeen?.sum)} the provider sent no prices.</p>`;
}
