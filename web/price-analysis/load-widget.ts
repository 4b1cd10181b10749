import { setScriptUrl } from '../ui/trusted-script.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** Set while the widget loads, so that its placeholders reserve their height. */
const AWAITED_ATTRIBUTE = 'data-price-analysis-awaited';

/** The placeholders release their height if the widget has painted nothing within this time. */
const RESERVED_MS = 8_000;

let loading: string | null = null;

/** Reserves the widget's height. Call it before the placeholders are first painted. */
export function reserveRoomForWidget(url: string | null): void {
  if (url !== null && loading === null) document.documentElement.toggleAttribute(AWAITED_ATTRIBUTE, true);
}

/** Loads the widget of `/config.json` once the page is idle; null: no widget. Further calls do nothing. */
export function loadPriceAnalysisWidget(url: string | null): void {
  if (url === null || loading !== null) return;
  loading = url;
  const release = () => document.documentElement.removeAttribute(AWAITED_ATTRIBUTE);
  whenIdle(() => {
    const script = document.createElement('script');
    script.type = 'module';
    setScriptUrl(script, url);
    script.addEventListener('error', () => {
      console.warn(`The price analysis could not be loaded from ${url}`);
      release();
    });
    document.head.append(script);
    setTimeout(() => {
      if (!hasPainted()) release();
    }, RESERVED_MS);
  });
}

function hasPainted(): boolean {
  const places = [...document.querySelectorAll('[data-price-analysis]')];
  return places.some((place) => place.shadowRoot !== null || place.hasChildNodes());
}
