import { whenIdle } from '../ui/when-idle.ts';

/** While the widget is awaited, its placeholders keep a little room, so that its words push nothing away. */
const AWAITED = 'data-price-analysis-awaited';

/** After so long, in milliseconds, the room is given back. */
const PATIENCE = 8_000;

let loading: string | null = null;

/**
 * Loads the price-analysis widget once the page is idle (`/config.json` names its address; null: none). Asked
 * again it does nothing. A widget that fails or hangs costs the visitor nothing: the page never waits for it.
 */
export function loadPriceAnalysisWidget(address: string | null): void {
  if (address === null || loading !== null) return;
  loading = address;
  const root = document.documentElement;
  root.toggleAttribute(AWAITED, true);
  const giveUp = () => root.removeAttribute(AWAITED);
  whenIdle(() => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = address;
    script.addEventListener('error', () => {
      console.warn(`The price analysis could not be loaded from ${address}`);
      giveUp();
    });
    document.head.append(script);
    setTimeout(giveUp, PATIENCE);
  });
}
