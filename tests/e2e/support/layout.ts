import { expect, type Locator, type Page } from '@playwright/test';

/** An element's box, in page pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export async function boxesOf(locator: Locator): Promise<Box[]> {
  return locator.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
}

/** Whether two boxes overlap by more than a rounding error. */
export function overlap(one: Box, other: Box): boolean {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > 1 && down > 1;
}

/** Expects a layout without faults, once the map and the plots have adapted to a changed screen. */
export async function expectNoLayoutFaults(page: Page, where: string): Promise<void> {
  await expect.poll(() => layoutFaults(page), { message: where, timeout: 20_000 }).toEqual([]);
}

/**
 * The page's layout faults: horizontal scrolling, clipped text, overlapping text, and targets smaller than 24
 * pixels (except links in a sentence, which are as high as the line).
 */
function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const root = document.documentElement;
    // Lays out off-screen cards too, which the page skips.
    for (const card of document.querySelectorAll<HTMLElement>('.results-list > li')) {
      card.style.contentVisibility = 'visible';
    }
    if (root.scrollWidth > root.clientWidth) faults.push(`scrolls sideways: ${root.scrollWidth}`);
    // The price analysis is in shadow roots.
    const parentOf = (element: Element): Element | null => {
      if (element.parentElement !== null) return element.parentElement;
      const root = element.getRootNode();
      return root instanceof ShadowRoot ? root.host : null;
    };
    const shadows = [...document.querySelectorAll('[data-price-analysis]')].map(
      ({ shadowRoot }) => shadowRoot,
    );
    const roots = [document.body, ...shadows.filter((one) => one !== null)];
    const isShown = (element: Element) => {
      if (element.closest('[aria-hidden="true"]') !== null) return false;
      // Text that is only for screen readers is clipped on purpose.
      for (let each: Element | null = element; each !== null; each = parentOf(each)) {
        const { clipPath, clip } = getComputedStyle(each);
        if (clipPath === 'inset(50%)' || clip === 'rect(0px, 0px, 0px, 0px)') return false;
      }
      return element.checkVisibility({ visibilityProperty: true });
    };
    /** Text in a scrollable list may be out of view. */
    const isInScroller = (element: Element) => {
      for (let each = parentOf(element); each !== null && each !== document.body; each = parentOf(each)) {
        if (/auto|scroll/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth) {
          return each.localName !== 'dialog';
        }
      }
      return false;
    };
    const nameOf = (element: Element) =>
      `<${element.localName} class="${element.className}"> ${(element.textContent ?? '').slice(0, 40)}`;

    const texts: { range: DOMRect; of: Element }[] = [];
    for (const each of roots) {
      const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        if (element === null || (node.nodeValue ?? '').trim() === '' || !isShown(element)) continue;
        if (element.closest('select, noscript, style') !== null) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
          if (rect.width > 2 && rect.height > 2) texts.push({ range: rect, of: element });
        }
      }
    }
    for (const { range, of } of texts) {
      // A map pans, so pins may be at its edges.
      if (of.closest('.map-pin') !== null) continue;
      const isOff = range.right > root.clientWidth + 1 || range.left < -1;
      if (isOff && !isInScroller(of)) faults.push(`off the page: ${nameOf(of)}`);
      let scrolls = false;
      for (let box = parentOf(of); box !== null && box !== document.body; box = parentOf(box)) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        if (overflowX !== 'visible' && overflowX !== 'auto' && range.right > edge.right + 1) {
          faults.push(`cut off at the side: ${nameOf(of)}`);
        }
        scrolls ||= /auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight;
        if (!scrolls && overflowY === 'hidden' && range.bottom > edge.bottom + 2)
          faults.push(`cut off below: ${nameOf(of)}`);
      }
    }
    // Open dialogs and lists cover the page, as do bars that stay in sight. The filters scroll on their own.
    const layerOf = (element: Element) =>
      element.closest('.filter-actions, dialog, .date-popup, .list-popup, .results-bar, .filter-rail');
    texts.forEach(({ range, of }, index) => {
      for (const other of texts.slice(index + 1)) {
        if (other.of === of || layerOf(other.of) !== layerOf(of)) continue;
        const across = Math.min(range.right, other.range.right) - Math.max(range.left, other.range.left);
        const down = Math.min(range.bottom, other.range.bottom) - Math.max(range.top, other.range.top);
        if (across > 2 && down > Math.min(range.height, other.range.height) * 0.4) {
          faults.push(`over one another: ${nameOf(of)} and ${nameOf(other.of)}`);
        }
      }
    });

    for (const target of roots.flatMap((each) => [
      ...each.querySelectorAll('a, button, input, select, summary'),
    ])) {
      if (!isShown(target)) continue;
      const inSentence = target.localName === 'a' && getComputedStyle(target).display === 'inline';
      if (inSentence || target.closest('.field-frame') !== null) continue;
      const { width, height } = target.getBoundingClientRect();
      if (width < 24 || height < 24) faults.push(`small: ${width} by ${height}: ${nameOf(target)}`);
    }
    return faults;
  });
}
