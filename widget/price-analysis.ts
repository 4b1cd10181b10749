import type { PriceAnalysisAnswer } from '../domain/price-analysis-answer.ts';
import { fetchPriceAnalyses } from './fetch-price-analyses.ts';
import { parseShownPackages } from './page-data.ts';
import { paintAnalysis } from './paint-analysis.ts';
import { widgetStyle } from './style.ts';

/** The page's event after each change of the shown results (docs/contracts/page-data.md). */
const PAGE_DATA_EVENT = 'holidaypagedata';

/** The maximum number of keys in one request. */
const MOST_KEYS = 10;

/** How long analyses are cached, in milliseconds: going back a page sends no request. */
const KEPT = 5 * 60_000;

/** Set on a placeholder that stays empty: the page then reserves no room for it. */
const NONE = 'data-price-analysis-none';

const style = widgetStyle();
const painted = new WeakMap<Element, string>();
const known = new Map<string, Known>();

/** A package's analysis, a pending request for it, or that there is none. */
type Known = { analysis: PriceAnalysisAnswer | 'asked' | 'none'; until: number };

window.addEventListener(PAGE_DATA_EVENT, () => void analyseShown());
void analyseShown();

/** Paints every placeholder of the page: cached analyses at once, the rest after one request. */
async function analyseShown(): Promise<void> {
  const now = Date.now();
  for (const [key, { until }] of known) if (until < now) known.delete(key);
  paintPlaceholders();
  const unknown = readPage().filter(({ itemKey }) => !known.has(itemKey));
  const itemKeys = unknown.slice(0, MOST_KEYS).map(({ itemKey }) => itemKey);
  if (itemKeys.length === 0) return;
  // Stored before the answer, so that a second event meanwhile does not repeat the request.
  for (const itemKey of itemKeys) known.set(itemKey, { analysis: 'asked', until: now + KEPT });
  try {
    const found = await fetchPriceAnalyses(itemKeys);
    for (const itemKey of itemKeys) known.set(itemKey, { analysis: 'none', until: now + KEPT });
    for (const analysis of found) known.set(analysis.itemKey, { analysis, until: now + KEPT });
    paintPlaceholders();
  } catch (error) {
    console.warn('The price analysis could not be loaded.', error);
    for (const itemKey of itemKeys) known.set(itemKey, { analysis: 'none', until: 0 });
    paintPlaceholders();
  }
}

function paintPlaceholders(): void {
  const shown = new Map(readPage().map((one) => [one.itemKey, one]));
  for (const placeholder of document.querySelectorAll('[data-price-analysis]')) {
    const itemKey = placeholder.getAttribute('data-price-analysis') ?? '';
    const analysis = known.get(itemKey)?.analysis ?? 'asked';
    const { hotel = '', price = null } = shown.get(itemKey) ?? {};
    // An unchanged analysis is not painted again: its evidence may be open.
    const paint = typeof analysis === 'string' ? analysis : `${itemKey} ${analysis.asOf} ${price}`;
    if (painted.get(placeholder) === paint) continue;
    painted.set(placeholder, paint);
    placeholder.toggleAttribute(NONE, analysis === 'none');
    rootOf(placeholder).replaceChildren(
      ...(typeof analysis === 'string' ? [] : [paintAnalysis(analysis, hotel, price)]),
    );
  }
}

/** The placeholder's shadow root, created once. It isolates the styles of page and widget. */
function rootOf(placeholder: Element): ShadowRoot {
  const root = placeholder.shadowRoot ?? placeholder.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [style];
  return root;
}

function readPage(): ReturnType<typeof parseShownPackages> {
  return parseShownPackages(Reflect.get(window, 'holidayPageData'));
}
