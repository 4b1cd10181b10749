import { setScriptAddress } from '../ui/trusted-script.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** Set while the widget loads: its placeholders then reserve room, to avoid a layout shift. */
const AWAITED_ATTRIBUTE = 'data-price-analysis-awaited';

/** After this time the reserved room is released if the widget has painted nothing. */
const RESERVED_MS = 8_000;

let loading: string | null = null;

/** Reserves room for the widget. Must be called before the placeholders are first painted. */
export function reserveRoomForWidget(address: string | null): void {
  if (address !== null && loading === null) document.documentElement.toggleAttribute(AWAITED_ATTRIBUTE, true);
}

/**
 * Loads the price-analysis widget once the page is idle. `address` comes from `/config.json`; null: no widget. Further
 * calls do nothing. The page never waits for the widget.
 */
export function loadPriceAnalysisWidget(address: string | null): void {
  if (address === null || loading !== null) return;
  loading = address;
  const giveUp = () => document.documentElement.removeAttribute(AWAITED_ATTRIBUTE);
  whenIdle(() => {
    const script = document.createElement('script');
    script.type = 'module';
    setScriptAddress(script, address);
    script.addEventListener('error', () => {
      console.warn(`The price analysis could not be loaded from ${address}`);
      giveUp();
    });
    document.head.append(script);
    setTimeout(() => {
      if (!hasPainted()) giveUp();
    }, RESERVED_MS);
  });
}

function hasPainted(): boolean {
  const places = [...document.querySelectorAll('[data-price-analysis]')];
  return places.some((place) => place.shadowRoot !== null || place.hasChildNodes());
}
