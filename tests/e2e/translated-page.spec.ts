import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expect, test } from './support/skylark.ts';
import { walkJourneys } from './support/walk.ts';

/* Translators replace text nodes. React fails if it has to remove or move a node that is no longer there. */

const OTHER_PAGES = ['outbox', 'privacy', 'accessibility', 'application-error'];

test.beforeEach(async ({ page }) => {
  await page.addInitScript(translateLikeChrome);
});

test('every journey works while the page is translated', async ({ page }) => {
  test.setTimeout(120_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await walkJourneys(page);
  await expect(page.locator('main font').first()).toBeAttached();
  expect(errors).toEqual([]);
});

test('every state can be translated, and left for the front page', async ({ page }) => {
  test.setTimeout(240_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  for (const { name, open } of PAGE_STATES) {
    if (OTHER_PAGES.includes(name)) continue;
    await open(page);
    await expect(page.locator('body font').first(), name).toBeAttached();
    const dialog = page.locator('dialog[open]');
    if ((await dialog.count()) > 0) await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page.getByRole('banner'), name).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(errors, name).toEqual([]);
  }
});

/** Replaces each text node by two nested `font` elements once the page has hydrated, and again after each change. */
function translateLikeChrome(): void {
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
