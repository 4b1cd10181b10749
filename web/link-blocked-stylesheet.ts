/**
 * The stylesheet stands in the page, and a host whose Content-Security-Policy is of an earlier build refuses it there:
 * then the same sheet is fetched as a file. A browser has no sheet of a style that was refused.
 */
export function linkBlockedStylesheet(): void {
  const own = document.querySelector<HTMLStyleElement>('style[data-sheet]');
  if (own === null || own.sheet !== null) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = own.dataset.sheet ?? '';
  own.after(link);
}
