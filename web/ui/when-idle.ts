/** Does work once the page has nothing better to do. Safari has no idle callback; a moment after the paint does as well. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 500);
}
