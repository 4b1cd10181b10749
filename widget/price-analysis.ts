import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { colourSchemeBehind } from './colour-scheme.ts';
import { fetchPriceAnalyses } from './fetch-price-analyses.ts';
import { parseShownPackages, type ShownPackage } from './page-data.ts';
import { paintAnalysis } from './paint-analysis.ts';
import { paintingPlace } from './painting-place.ts';
import { widgetStyle } from './style.ts';

/** The page's event after each change of the shown results (docs/contracts/page-data.md). */
const PAGE_DATA_EVENT = 'holidaypagedata';

/** The limits of one request (docs/contracts/price-analysis.md). A longer key would cost its whole batch the answer. */
const MOST_KEYS = 10;
const MAX_KEY_LENGTH = 400;

/** How long analyses are cached, in milliseconds: going back a page sends no request. */
const KEPT = 5 * 60_000;

/** Set on a placeholder that stays empty: the page then reserves no room for it. */
const NONE = 'data-price-analysis-none';

const PLACEHOLDER = 'data-price-analysis';

const style = widgetStyle();
const painted = new WeakMap<Element, string>();
const known = new Map<string, Known>();

/** A package's analysis, a pending request for it, or that there is none. */
type Known = { analysis: PriceAnalysisResponse | 'asked' | 'none'; until: number };

window.addEventListener(PAGE_DATA_EVENT, () => void analyseShown());
// An async script can run before the placeholders are parsed.
document.addEventListener('DOMContentLoaded', () => void analyseShown());
followColourScheme();
void analyseShown();

/** Paints every placeholder of the page: cached analyses at once, the rest as their requests are answered. */
async function analyseShown(): Promise<void> {
  const now = Date.now();
  for (const [key, { until }] of known) if (until < now) known.delete(key);
  const asked = [...new Set(placeholders().map(keyOf))].filter((itemKey) => !known.has(itemKey));
  // Stored before the answer, so that a second event meanwhile does not repeat the request.
  for (const itemKey of asked) {
    const isValid = itemKey !== '' && itemKey.length <= MAX_KEY_LENGTH;
    known.set(itemKey, { analysis: isValid ? 'asked' : 'none', until: now + KEPT });
  }
  paintPlaceholders();
  const valid = asked.filter((itemKey) => known.get(itemKey)?.analysis === 'asked');
  // One batch after the other: a page with many placeholders is not faster if it uses up its share of the service.
  for (let at = 0; at < valid.length; at += MOST_KEYS) await analyseBatch(valid.slice(at, at + MOST_KEYS));
}

/** A batch that fails leaves its own placeholders empty, and is requested again after the next event. */
async function analyseBatch(itemKeys: readonly string[]): Promise<void> {
  try {
    const found = await fetchPriceAnalyses(itemKeys);
    const until = Date.now() + KEPT;
    for (const itemKey of itemKeys) known.set(itemKey, { analysis: 'none', until });
    for (const analysis of found) known.set(analysis.itemKey, { analysis, until });
  } catch (error) {
    console.warn('The price analysis could not be loaded.', error);
    for (const itemKey of itemKeys) known.set(itemKey, { analysis: 'none', until: 0 });
  }
  paintPlaceholders();
}

function paintPlaceholders(): void {
  const shown = readPage();
  for (const placeholder of placeholders()) {
    try {
      paint(placeholder, shown.get(keyOf(placeholder)));
    } catch (error) {
      console.warn('A price analysis could not be painted.', error);
      placeholder.toggleAttribute(NONE, true);
    }
  }
}

function paint(placeholder: Element, { hotel, price }: ShownPackage = { hotel: '', price: null }): void {
  const itemKey = keyOf(placeholder);
  const analysis = known.get(itemKey)?.analysis ?? 'asked';
  const scheme = colourSchemeBehind(placeholder);
  // An unchanged analysis is not painted again: its evidence may be open.
  const state = JSON.stringify([
    itemKey,
    typeof analysis === 'string' ? analysis : analysis.asOf,
    price,
    scheme,
  ]);
  if (painted.get(placeholder) === state) return;
  painted.set(placeholder, state);
  placeholder.toggleAttribute(NONE, analysis === 'none');
  const place = paintingPlace(placeholder);
  if (place === null) throw new Error(`<${placeholder.localName}> shows no children`);
  const { root, isInControl } = place;
  root.adoptedStyleSheets = [style.sheet];
  root.replaceChildren();
  if (typeof analysis === 'string') return;
  const element = paintAnalysis(analysis, { hotel, shownPrice: price, isInControl });
  element.classList.add(scheme);
  root.append(element);
  style.scaleTo(element);
}

/** Paints again if the visitor or the page switches between light and dark. */
function followColourScheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintPlaceholders);
  const observer = new MutationObserver(paintPlaceholders);
  for (const element of [document.documentElement, document.body]) {
    // A script in the head can run before there is a body.
    if (element !== null) observer.observe(element, { attributes: true });
  }
}

function placeholders(): Element[] {
  return [...document.querySelectorAll(`[${PLACEHOLDER}]`)];
}

function keyOf(placeholder: Element): string {
  return placeholder.getAttribute(PLACEHOLDER) ?? '';
}

/** The page's own data. Another page's may be missing, or throw on reading. */
function readPage(): Map<string, ShownPackage> {
  try {
    return parseShownPackages(Reflect.get(window, 'holidayPageData'));
  } catch {
    return new Map();
  }
}
