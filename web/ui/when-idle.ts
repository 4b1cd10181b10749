/** Runs work once the page is idle. Safari has no idle callback, so it waits a moment instead. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 500);
}
