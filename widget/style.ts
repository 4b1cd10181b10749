/** The widget's own style. Colours come from the page's tokens where it has them, so that both agree. */
const CSS = `
:host {
  all: initial;
  display: block;
  contain: content;
  margin-top: 0.75rem;
  font: 0.875rem / 1.45 var(--face, system-ui, sans-serif);
  color: var(--ink, light-dark(#14233b, #eaf1fb));
  color-scheme: inherit;
}
p, dl, dd { margin: 0; }
.analysis { display: grid; gap: 0.375rem; }
.verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.5rem; }
.badge { padding: 0.0625rem 0.625rem; border-radius: 999px; font-weight: 700; }
.badge.low { background: var(--good-wash, #e5f6ec); color: var(--good, #12703c); }
.badge.typical { background: var(--action-wash, #e6eefc); color: var(--action, #1450c8); }
.badge.high { background: var(--bad-wash, #fdecec); color: var(--bad, #b3191f); }
.strong { font-weight: 700; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.25rem 1.25rem; }
.picture { display: grid; grid-template-rows: 2.25rem auto; align-items: center; }
svg { display: block; width: 100%; overflow: visible; }
.bar { height: auto; max-height: 1rem; }
.sparkline { height: 2.25rem; max-width: 11rem; }
.low { fill: var(--good, #12703c); }
.typical { fill: var(--line-strong, #7b8ca6); }
.high { fill: var(--bad, #b3191f); }
.mark { fill: var(--ink, #14233b); stroke: var(--raised, #fff); stroke-width: 2; }
.line { fill: none; stroke: var(--action, #1450c8); stroke-width: 1.5; }
.lowest { fill: var(--raised, #fff); stroke: var(--good, #12703c); stroke-width: 2; }
.latest { fill: var(--ink, #14233b); }
.caption, .reasons, .abstains, details { color: var(--ink-soft, light-dark(#4a5b75, #a9b8cf)); }
.caption { font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.reason:not(:last-child)::after { content: "·"; margin-inline: 0.375rem 0.125rem; }
.moved { font-weight: 600; }
summary { width: fit-content; padding-block: 0.25rem; cursor: pointer; text-decoration: underline; color: var(--action, #1450c8); }
summary:focus-visible { outline: 3px solid var(--action, #1450c8); outline-offset: 2px; border-radius: 0.25rem; }
dl { display: grid; gap: 0.375rem; padding-block: 0.25rem; }
dl div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.75rem; }
dt { font-weight: 600; color: var(--ink, light-dark(#14233b, #eaf1fb)); }
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
