/** An http or https address. */
export function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}

/** Where a price-analysis widget may come from: a path of ours, an https address, or `none`. */
export function isWidgetAddress(address: string): boolean {
  return (
    address === 'none' || /^\/(?!\/)[^\s\\]+$/.test(address) || URL.parse(address)?.protocol === 'https:'
  );
}

/** What the two take, for the sentence of a refusal. */
export const WEB_ADDRESS = 'an http or https address';
export const WIDGET_ADDRESS = 'none, a path such as /widget/price-analysis.js, or an https address';
