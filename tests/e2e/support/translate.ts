/**
 * Replaces each text node by two nested `font` elements once the page has hydrated, and again after each
 * change. A page without React's root doesn't hydrate.
 */
export function translateLikeChrome(): void {
  const isSkipped = (node: Node) =>
    node.parentElement?.closest('font, script, style, noscript, title') !== null;
  const translate = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node);
    for (const text of texts) {
      if (text.parentElement === null || isSkipped(text)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.nodeValue;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    }
  };
  const isHydrated = () => {
    if (document.getElementById('root') === null) return true;
    const date = document.querySelector('input[readonly]');
    const hasDate = date instanceof HTMLInputElement && date.value !== '';
    return hasDate || document.querySelector('.explore-hero, .settings-failed, [role="alert"]') !== null;
  };
  const start = () => {
    if (!isHydrated()) {
      requestAnimationFrame(start);
      return;
    }
    translate(document.body);
    new MutationObserver(() => translate(document.body)).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  };
  addEventListener('load', start);
}
