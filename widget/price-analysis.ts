import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { colourSchemeBehind } from './colour-scheme.ts';
import { fetchPriceAnalyses } from './fetch-price-analyses.ts';
import { parseShownPackages, type ShownPackage } from './page-data.ts';
import { paintAnalysis } from './paint-analysis.ts';
import { paintingPlace } from './painting-place.ts';
import { widgetStyle } from './style.ts';

// The widget trusts nothing of the page that embeds it. Placeholders decide what is analysed, the service is the
// script's own origin, and the shadow root inherits only `--price-analysis-*`.

/** The event that the page sends after each change of the shown results (docs/contracts/page-data.md). */
const PAGE_DATA_EVENT = 'holidaypagedata';

/** The limits of a request (docs/contracts/price-analysis.md). A longer key would fail its batch. */
const MAX_KEYS = 10;
const MAX_KEY_LENGTH = 400;

/** How long analyses are cached. */
const CACHED_MS = 5 * 60_000;

/** The attribute of a placeholder that stays empty, so that the page does not reserve space for it. */
const NONE = 'data-price-analysis-none';

const PLACEHOLDER = 'data-price-analysis';

const UNKNOWN: ShownPackage = { hotel: '', price: null, availability: null };

const style = widgetStyle();
const painted = new WeakMap<Element, string>();
const cache = new Map<string, CacheEntry>();

/** A package's analysis; 'requested' until the response arrives; 'none' if the service sent no analysis. */
type CacheEntry = { analysis: PriceAnalysisResponse | 'requested' | 'none'; until: number };

window.addEventListener(PAGE_DATA_EVENT, () => void analyseShown());
// Async scripts can run before the placeholders are parsed.
document.addEventListener('DOMContentLoaded', () => void analyseShown());
followColourScheme();
void analyseShown();

/** Paints every placeholder: cached analyses immediately, others when their responses arrive. */
async function analyseShown(): Promise<void> {
  const now = Date.now();
  for (const [key, { until }] of cache) if (until < now) cache.delete(key);
  const missing = [...new Set(placeholders().map(keyOf))].filter((itemKey) => !cache.has(itemKey));
  // Cached before the request, so that another event does not repeat it.
  for (const itemKey of missing) {
    const isValid = itemKey !== '' && itemKey.length <= MAX_KEY_LENGTH;
    cache.set(itemKey, { analysis: isValid ? 'requested' : 'none', until: now + CACHED_MS });
  }
  paintPlaceholders();
  const valid = missing.filter((itemKey) => cache.get(itemKey)?.analysis === 'requested');
  // One batch at a time, to stay within the service's rate limit.
  for (let at = 0; at < valid.length; at += MAX_KEYS) await analyseBatch(valid.slice(at, at + MAX_KEYS));
}

/** Requests one batch. If it fails, its placeholders stay empty, and the next event requests it again. */
async function analyseBatch(itemKeys: readonly string[]): Promise<void> {
  try {
    const found = await fetchPriceAnalyses(itemKeys);
    const until = Date.now() + CACHED_MS;
    for (const itemKey of itemKeys) cache.set(itemKey, { analysis: 'none', until });
    for (const analysis of found) cache.set(analysis.itemKey, { analysis, until });
  } catch (error) {
    console.warn('The price analysis could not be loaded.', error);
    for (const itemKey of itemKeys) cache.set(itemKey, { analysis: 'none', until: 0 });
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

function paint(placeholder: Element, { hotel, price, availability }: ShownPackage = UNKNOWN): void {
  const itemKey = keyOf(placeholder);
  const analysis = cache.get(itemKey)?.analysis ?? 'requested';
  const scheme = colourSchemeBehind(placeholder);
  // Painting an unchanged analysis again would close the evidence that a visitor has opened.
  const state = JSON.stringify([
    itemKey,
    typeof analysis === 'string' ? analysis : analysis.asOf,
    price,
    availability,
    scheme,
  ]);
  if (painted.get(placeholder) === state) return;
  painted.set(placeholder, state);
  placeholder.toggleAttribute(NONE, analysis === 'none');
  const place = paintingPlace(placeholder);
  if (place === null) throw new Error(`<${placeholder.localName}> shows no children`);
  const { root, ...where } = place;
  root.adoptedStyleSheets = [style.sheet];
  // The placeholder's own content shows until then.
  root.replaceChildren(document.createElement('slot'));
  if (typeof analysis === 'string') return;
  const element = paintAnalysis(analysis, { hotel, shownPrice: price, availability, ...where });
  element.classList.add(scheme);
  root.replaceChildren(element);
  style.scaleTo(element);
}

/** Paints again when the visitor or the page changes between light and dark. */
function followColourScheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintPlaceholders);
  const observer = new MutationObserver(paintPlaceholders);
  for (const element of [document.documentElement, document.body]) {
    // If the script is in the head, the body may not exist yet.
    if (element !== null) observer.observe(element, { attributes: true });
  }
}

function placeholders(): Element[] {
  return [...document.querySelectorAll(`[${PLACEHOLDER}]`)];
}

function keyOf(placeholder: Element): string {
  return placeholder.getAttribute(PLACEHOLDER) ?? '';
}

/** Reads the page's data, which may be missing on other sites, or throw when read. */
function readPage(): Map<string, ShownPackage> {
  try {
    return parseShownPackages(Reflect.get(window, 'holidayPageData'));
  } catch {
    return new Map();
  }
}
