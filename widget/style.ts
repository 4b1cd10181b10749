import type { ColourScheme } from './colour-scheme.ts';
import { WIDGET_COLOURS } from './colours.ts';

/**
 * The colours, which the page may override. Written for each scheme, because the oldest supported browsers
 * lack `light-dark()`.
 */
function colours(scheme: ColourScheme): string {
  const shade = scheme === 'light' ? 0 : 1;
  const lines = Object.entries(WIDGET_COLOURS).map(
    ([name, shades]) => `--pa-${name}: var(--price-analysis-${name}, ${shades[shade]});`,
  );
  return `color-scheme: ${scheme}; ${lines.join(' ')}`;
}

/**
 * The widget's stylesheet. Inherits only `--price-analysis-*` properties, with which a page may set colours
 * and the typeface.
 */
const CSS = `
:host { display: block; align-content: center; }
.analysis {
  all: initial;
  display: block;
  direction: ltr;
  flex: 1 1 auto;
  inline-size: 100%;
  contain: content;
  container-type: inline-size;
  contain-intrinsic-inline-size: 12rem;
  box-shadow: inset 0 1px var(--pa-line);
  background: var(--pa-sunken);
  color: var(--pa-ink);
  font-size: medium;
}
.light { ${colours('light')} }
.dark { ${colours('dark')} }
.headline, .evidence { font: 0.875rem / 1.45 var(--price-analysis-face, system-ui, sans-serif); }
p, dl, dd { margin: 0; }
.headline {
  display: flex;
  align-items: center;
  gap: 0.5rem 1.25rem;
  min-block-size: 2.25rem;
  box-sizing: border-box;
  padding: 0.25rem 1.5rem;
}
.verdict { flex: 1; }
.badge { position: relative; padding: 0.0625rem 0.5rem; border-radius: 0.25rem; font-weight: 700; }
.badge.low { background: var(--pa-good-wash); color: var(--pa-good); }
.badge.typical { background: var(--pa-action-wash); color: var(--pa-action); }
.badge.high { background: var(--pa-bad-wash); color: var(--pa-bad); }
.how { color: var(--pa-action); font-weight: 600; white-space: nowrap; }
summary { list-style: none; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary::after {
  content: "";
  flex: none;
  inline-size: 0.4375rem;
  block-size: 0.4375rem;
  margin: -0.25rem 0.25rem 0 -0.625rem;
  border: solid var(--pa-action);
  border-width: 0 2px 2px 0;
  rotate: 45deg;
}
details[open] summary::after { margin-block-start: 0.25rem; rotate: 225deg; }
summary:hover .how { text-decoration: underline; text-underline-offset: 0.2em; }
summary:focus-visible { outline: 3px solid var(--pa-action); outline-offset: -3px; border-radius: 0.5rem; }
dl { display: grid; gap: 0.375rem; }
dl div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.75rem; }
.evidence { display: grid; gap: 0.75rem; padding: 0.25rem 1.5rem 1rem; }
@container (max-width: 64rem) { .headline { padding-inline: 1rem; } .evidence { padding-inline: 1rem; } }
@container (max-width: 56rem) { .headline { min-block-size: 3.25rem; } }
@container (max-width: 34rem) {
  .headline { gap: 0.75rem; min-block-size: 4.25rem; padding-inline: 0.75rem; line-height: 1.35; }
  .evidence { padding-inline: 0.75rem; }
  .how { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  summary::after { margin-inline: 0 0.25rem; }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@container (max-width: 34rem) { .brief { min-block-size: 2.75rem; font-size: 0.8125rem; } }
@container (max-width: 19rem) { .headline { min-block-size: 5.25rem; } }
svg { display: block; inline-size: 100%; overflow: visible; }
.plot { max-inline-size: 30rem; }
.band { fill: var(--pa-action-wash); }
a { color: var(--pa-action); font-weight: 600; }
.line { fill: none; stroke: var(--pa-action); stroke-width: 1.5; }
.lowest { fill: var(--pa-raised); stroke: var(--pa-good); stroke-width: 2; }
.latest { fill: var(--pa-ink); }
.caption, .abstains, dd { color: var(--pa-ink-soft); }
.caption { font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
dt { font-weight: 600; color: var(--pa-ink); }
dt, dd { overflow-wrap: anywhere; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .badge { border: 1px solid; } .latest { fill: CanvasText; } .band { fill: none; stroke: CanvasText; } }
`;

const DEFAULT_FONT_SIZE = 16;

export interface WidgetStyle {
  /** A constructed stylesheet, because the page's Content-Security-Policy may allow no inline styles. */
  sheet: CSSStyleSheet;
  /** Scales sizes to the visitor's font size, which it reads from a painted element. */
  scaleTo(painted: Element): void;
}

/** Converts rem to the visitor's font size, because many pages change the size of a rem. */
export function widgetStyle(): WidgetStyle {
  const sheet = new CSSStyleSheet();
  let fontSize = 0;
  function resize(pixels: number): void {
    if (pixels === fontSize || !(pixels > 0)) return;
    fontSize = pixels;
    sheet.replaceSync(CSS.replace(/([\d.]+)rem\b/g, (_, size) => `${Number(size) * pixels}px`));
  }
  resize(DEFAULT_FONT_SIZE);
  return { sheet, scaleTo: (painted) => resize(Number.parseFloat(getComputedStyle(painted).fontSize)) };
}
