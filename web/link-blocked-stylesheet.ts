/**
 * The stylesheet is inline, and a host with the Content-Security-Policy of an earlier build blocks it. Then the same sheet
 * is fetched as a file. A blocked style element has no sheet.
 */
export function linkBlockedStylesheet(): void {
  const own = document.querySelector<HTMLStyleElement>('style[data-sheet]');
  if (own === null || own.sheet !== null) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = own.dataset.sheet ?? '';
  own.after(link);
}
