/** The widget's style. Colours come from the page's tokens if it has them. */
const CSS = `
:host {
  all: initial;
  display: block;
  contain: content;
  container-type: inline-size;
  align-content: center;
  box-shadow: inset 0 1px var(--line, light-dark(#e2dacb, #2c404b));
  background: var(--sunken, light-dark(#f1ebde, #12202a));
  font: 0.875rem / 1.45 var(--face, system-ui, sans-serif);
  color: var(--ink, light-dark(#17303b, #f1eadc));
  color-scheme: inherit;
}
p, dl, dd { margin: 0; }
.headline {
  display: flex;
  align-items: center;
  gap: 0.5rem 1.25rem;
  min-height: 3rem;
  box-sizing: border-box;
  padding: 0.25rem 1.5rem;
}
.verdict { flex: 1; }
.badge { position: relative; padding: 0.0625rem 0.5rem; border-radius: 0.25rem; font-weight: 700; }
.badge.low { background: var(--good-wash, #e1f0e6); color: var(--good, #1d6b45); }
.badge.typical { background: var(--action-wash, #e0eef0); color: var(--action, #0f5a6b); }
.badge.high { background: var(--bad-wash, #fbe7e3); color: var(--bad, #a8201f); }
.strong { font-weight: 700; }
.glance { display: none; align-items: center; gap: 0.75rem; color: var(--ink-soft, light-dark(#4a5e67, #b0bec1)); font-variant-numeric: tabular-nums; }
.glance .bar { width: 9rem; }
.how { color: var(--action, #0f5a6b); font-weight: 600; white-space: nowrap; }
summary { list-style: none; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary::after {
  content: "";
  flex: none;
  width: 0.4375rem;
  height: 0.4375rem;
  margin: -0.25rem 0.25rem 0 -0.625rem;
  border: solid var(--action, #0f5a6b);
  border-width: 0 2px 2px 0;
  rotate: 45deg;
}
details[open] summary::after { margin-top: 0.25rem; rotate: 225deg; }
summary:hover .how { text-decoration: underline; text-underline-offset: 0.2em; }
summary:focus-visible { outline: 3px solid var(--action, #0f5a6b); outline-offset: -3px; border-radius: 0.5rem; }
dl { display: grid; gap: 0.375rem; }
dl div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.75rem; }
.evidence { display: grid; gap: 0.75rem; padding: 0.25rem 1.5rem 1rem; }
.pictures { display: grid; grid-template-columns: repeat(2, minmax(0, 18rem)); gap: 0.25rem 1.5rem; }
.picture { display: grid; grid-template-rows: 2.25rem auto; align-items: center; }
@container (min-width: 66rem) { .glance { display: flex; } }
@container (max-width: 64rem) { .headline { padding-inline: 1rem; } .evidence { padding-inline: 1rem; } }
@container (max-width: 34rem) {
  .headline { min-height: 3.875rem; gap: 0.75rem; line-height: 1.35; }
  summary.headline { padding-block: 0.5rem; }
  .how { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  summary::after { margin-inline: 0 0.25rem; }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@container (max-width: 16rem) { .pictures { grid-template-columns: minmax(0, 1fr); } }
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
.caption, .abstains, dd { color: var(--ink-soft, light-dark(#4a5e67, #b0bec1)); }
.caption { font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
dt { font-weight: 600; color: var(--ink, light-dark(#17303b, #f1eadc)); }
dt, dd { overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .badge { border: 1px solid; } .low, .typical, .high, .mark, .latest { fill: CanvasText; } }
`;

/** A constructed stylesheet, because the page's Content-Security-Policy allows no inline styles. */
export function widgetStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
