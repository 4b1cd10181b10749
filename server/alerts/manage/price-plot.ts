import { fromDayNumber } from '../../../domain/calendar-date.ts';
import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { formatLongDate } from '../../../domain/day-words.ts';
import { lowestOf } from '../../../domain/lowest-price.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { type Html, html } from '../../lib/html.ts';

/** The SVG is stretched to the page's width, so its labels are HTML next to it. */
const WIDTH = 1_000;
const HEIGHT = 240;

/** A package's daily prices: a plot, a summary, and a table of changes. */
export function pricePlot(daily: readonly DailyPrice[], below: Pence | null): Html | null {
  const [first] = daily;
  const last = daily.at(-1);
  const lowest = lowestOf(daily);
  if (first === undefined || last === undefined || lowest === null) return null;
  const limit = below === null ? '' : ` The dashed line is your limit, ${formatWholePounds(below)}.`;
  const words = html`Lowest since ${dayWords(first.day)}: <strong>${formatWholePounds(lowest.price)}</strong> on ${dayWords(lowest.day)}.${limit}`;
  const changes = daily.filter(({ price }, index) => price !== daily[index - 1]?.price);
  if (first.day === last.day)
    return html`<p class="price-words">Our price history starts on ${dayWords(first.day)}.</p>`;
  if (changes.length < 2)
    return html`<p class="price-words">The price has been ${formatWholePounds(last.price)} since ${dayWords(first.day)}.</p>`;
  return html`<figure class="price-plot">
${drawing(daily, below)}
<figcaption class="price-words">${words}</figcaption>
</figure>
<details class="price-table">
<summary>Every price change</summary>
${table(changes)}
</details>`;
}

function drawing(daily: readonly DailyPrice[], below: Pence | null): Html {
  const prices = [...daily.map(({ price }) => price), ...(below === null ? [] : [below])];
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const [from, to] = [daily[0]?.day ?? 0, daily.at(-1)?.day ?? 0];
  const x = (day: number) => round(((day - from) / Math.max(1, to - from)) * WIDTH);
  const y = (price: Pence) => round((1 - (price - low) / Math.max(1, high - low)) * HEIGHT);
  const lines = runsOf(daily).map(
    (run) =>
      html`<polyline class="plot-prices" points="${withLength(run)
        .map(({ day, price }) => `${x(day)},${y(price)}`)
        .join(' ')}"/>`,
  );
  const limit =
    below !== null && html`<line class="plot-limit" x1="0" x2="${WIDTH}" y1="${y(below)}" y2="${y(below)}"/>`;
  const label = `Prices from ${dayWords(from)} to ${dayWords(to)}, between ${formatWholePounds(Math.min(...daily.map(({ price }) => price)))} and ${formatWholePounds(Math.max(...daily.map(({ price }) => price)))}.`;
  return html`<div class="plot-frame">
<div class="plot-amounts" aria-hidden="true"><span>${formatWholePounds(high)}</span><span>${formatWholePounds(low)}</span></div>
<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${limit}${lines}</svg>
<div class="plot-days" aria-hidden="true"><span>${dayWords(from)}</span><span>${dayWords(to)}</span></div>
</div>`;
}

function table(changes: readonly DailyPrice[]): Html {
  const rows = changes
    .toReversed()
    .map(
      ({ day, price }) =>
        html`<tr><th scope="row">${dayWords(day)}</th><td>${formatWholePounds(price)}</td></tr>`,
    );
  return html`<table>
<thead><tr><th scope="col">From</th><th scope="col">Price</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
}

/** Splits the prices into runs without a missing day. */
function runsOf(daily: readonly DailyPrice[]): DailyPrice[][] {
  const runs: DailyPrice[][] = [];
  for (const point of daily) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || point.day - before.day > 1) {
      runs.push([point]);
      continue;
    }
    run.push({ day: point.day, price: before.price }, point);
  }
  return runs;
}

/** A line needs two points. A single day appears as a dot, because lines have round ends. */
function withLength(run: readonly DailyPrice[]): readonly DailyPrice[] {
  return run.length === 1 ? [...run, ...run] : run;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** '3rd November 2026'. */
function dayWords(day: number): string {
  return formatLongDate(fromDayNumber(day));
}
