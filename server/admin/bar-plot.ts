import { type Html, html } from '../lib/html.ts';

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

/** Bars that show a trend. `label` describes it in words; the page also has a table with the figures. */
export function barPlot(values: readonly number[], label: string): Html | null {
  const highest = Math.max(0, ...values);
  if (values.length < 2 || highest === 0) return null;
  const step = WIDTH / values.length;
  const bars = values.map((value, at) => {
    const height = Math.round((value / highest) * HEIGHT);
    return html`<rect x="${Math.round(at * step)}" y="${HEIGHT - height}" width="${Math.max(1, Math.round(step) - GAP)}" height="${height}"/>`;
  });
  return html`<svg class="admin-plot" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${bars}</svg>`;
}
