import { whenIdle } from '../ui/when-idle.ts';

/** While the widget is awaited, its placeholders keep a little room, so that its words push nothing away. */
const AWAITED_ATTRIBUTE = 'data-price-analysis-awaited';

/** After so long, in milliseconds, the room is given back where nothing has been painted in it. */
const RESERVED_MS = 8_000;

let loading: string | null = null;

/** Keeps room for the widget: to be called before the placeholders are first painted. */
export function reserveRoomForWidget(address: string | null): void {
  if (address !== null && loading === null) document.documentElement.toggleAttribute(AWAITED_ATTRIBUTE, true);
}

/**
 * Loads the price-analysis widget once the page is idle (`/config.json` names its address; null: none). Asked
 * again it does nothing. A widget that fails or hangs costs the visitor nothing: the page never waits for it.
 */
export function loadPriceAnalysisWidget(address: string | null): void {
  if (address === null || loading !== null) return;
  loading = address;
  const giveUp = () => document.documentElement.removeAttribute(AWAITED_ATTRIBUTE);
  whenIdle(() => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = address;
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
