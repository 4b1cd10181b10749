/** The widget's own style. Colours come from the page's tokens where it has them, so that both agree. */
const CSS = `
:host {
  all: initial;
  display: block;
  contain: content;
  container-type: inline-size;
  align-content: center;
  border-top: 1px solid var(--line, light-dark(#e2dacb, #2c404b));
  background: var(--sunken, light-dark(#f1ebde, #12202a));
  font: 0.875rem / 1.45 var(--face, system-ui, sans-serif);
  color: var(--ink, light-dark(#17303b, #f1eadc));
  color-scheme: inherit;
}
p, dl, dd { margin: 0; }
.analysis {
  display: grid;
  gap: 0.25rem 2rem;
  align-items: start;
  padding: 0.75rem 1.5rem 0.5rem;
}
@container (min-width: 60rem) {
  .analysis { grid-template-columns: minmax(0, 1fr) 29rem; }
  .pictures { grid-area: 1 / 2 / span 3; }
  details[open] { grid-column: 1 / -1; }
  .analysis:not(:has(.pictures)) { grid-template-columns: minmax(0, 1fr); }
}
@container (max-width: 36rem) { .analysis { padding-inline: 1rem; } }
.verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.5rem; }
.badge { padding: 0.0625rem 0.5rem; border-radius: 0.25rem; font-weight: 700; }
.badge.low { background: var(--good-wash, #e1f0e6); color: var(--good, #1d6b45); }
.badge.typical { background: var(--action-wash, #e0eef0); color: var(--action, #0f5a6b); }
.badge.high { background: var(--bad-wash, #fbe7e3); color: var(--bad, #a8201f); }
.strong { font-weight: 700; }
.pictures { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 5fr); gap: 0.25rem 1.5rem; }
.picture { display: grid; grid-template-rows: 2.25rem auto; align-items: center; }
svg { display: block; width: 100%; overflow: visible; }
.bar { height: auto; max-height: 1rem; }
.sparkline { height: 2.25rem; max-width: 11rem; }
.low { fill: var(--good, #1d6b45); }
.typical { fill: var(--line-strong, #7c898b); }
.high { fill: var(--bad, #a8201f); }
.mark { fill: var(--ink, #17303b); stroke: var(--raised, #fff); stroke-width: 2; }
.line { fill: none; stroke: var(--action, #0f5a6b); stroke-width: 1.5; }
.lowest { fill: var(--raised, #fff); stroke: var(--good, #1d6b45); stroke-width: 2; }
.latest { fill: var(--ink, #17303b); }
.caption, .reasons, .abstains, details { color: var(--ink-soft, light-dark(#4a5e67, #b0bec1)); }
.caption { font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.reasons { display: flex; flex-wrap: wrap; column-gap: 1rem; overflow-x: clip; }
.reason { position: relative; }
.reason::before { content: "·"; position: absolute; right: 100%; width: 1rem; text-align: center; }
.moved { font-weight: 600; }
summary { width: fit-content; padding-block: 0.25rem; cursor: pointer; text-decoration: underline; color: var(--action, #0f5a6b); }
summary:focus-visible { outline: 3px solid var(--action, #0f5a6b); outline-offset: 2px; border-radius: 0.25rem; }
dl { display: grid; gap: 0.375rem; padding-block: 0.25rem; }
dl div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.75rem; }
dt { font-weight: 600; color: var(--ink, light-dark(#17303b, #f1eadc)); }
dd { overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) { dl div { grid-template-columns: minmax(0, 1fr); gap: 0; } }
@media (forced-colors: active) { .badge { border: 1px solid; } .low, .typical, .high, .mark, .latest { fill: CanvasText; } }
`;

/** One sheet, shared by every mount; constructed, since the page's content policy allows no inline style. */
export function widgetStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
