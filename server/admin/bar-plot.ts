import { type Html, html } from '../lib/html.ts';

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

/**
 * Bars that show a trend, with axes from 0 to the highest and from the first to the last. `label` describes it in
 * words; the page also has a table with the figures.
 */
export function barPlot(
  bars: readonly { name: string; value: number }[],
  { label, format }: { label: string; format: (value: number) => string },
): Html | null {
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  if (bars.length < 2 || highest === 0) return null;
  const step = WIDTH / bars.length;
  const shapes = bars.map(({ value }, at) => {
    const height = Math.round((value / highest) * HEIGHT);
    return html`<rect x="${Math.round(at * step)}" y="${HEIGHT - height}" width="${Math.max(1, Math.round(step) - GAP)}" height="${height}"/>`;
  });
  return html`<figure class="admin-plot"><figcaption>${label}</figcaption>
<div class="admin-plot-up" aria-hidden="true"><span>${format(highest)}</span><span>0</span></div>
<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${shapes}</svg>
<div class="admin-plot-along" aria-hidden="true"><span>${bars[0]?.name ?? ''}</span><span>${bars.at(-1)?.name ?? ''}</span></div></figure>`;
}
