/**
 * Fetches the stylesheet as a file if a Content-Security-Policy, such as that of an earlier build, blocks the inline one:
 * a blocked style element has no sheet.
 */
export function linkBlockedStylesheet(): void {
  const own = document.querySelector<HTMLStyleElement>('style[data-sheet]');
  if (own === null || own.sheet !== null) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = own.dataset.sheet ?? '';
  own.after(link);
}
