/** Where an element was among others of its kind when it got the focus. */
interface Place {
  /** Selects the elements of its kind: same element and classes, below a parent with the same. */
  kind: string;
  index: number;
}

const places = new WeakMap<Element, Place>();

/**
 * The page's rule for the focus: what has it keeps it. If that leaves the page, the next of its kind gets the focus,
 * else the headline. Call it once.
 */
export function keepFocus(): void {
  let focused: HTMLElement | null = null;
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    const kind = kindOf(target);
    places.set(target, { kind, index: [...scope().querySelectorAll(kind)].indexOf(target) });
  });
  addEventListener('focusout', ({ target }) => {
    // A visitor's click elsewhere leaves the element in the page.
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected && document.activeElement !== focused) focused = null;
    });
  });
  new MutationObserver(() => {
    if (focused === null || focused.isConnected || document.activeElement !== document.body) return;
    const lost = focused;
    focused = null;
    // A dialog that closes gives the focus back itself.
    if (lost.closest('dialog')?.isConnected !== false) returnFocus(lost);
  }).observe(document.body, { childList: true, subtree: true });
}

/** Focuses an element; if it has left the page, the next of its kind, else the headline. */
export function returnFocus(element: HTMLElement): void {
  const next = element.isConnected ? element : (nextOfKind(element) ?? headline());
  next?.focus();
}

function nextOfKind(element: HTMLElement): HTMLElement | undefined {
  const place = places.get(element);
  if (place === undefined) return undefined;
  const all = [...scope().querySelectorAll<HTMLElement>(place.kind)];
  return all[Math.min(place.index, all.length - 1)];
}

function headline(): HTMLElement | null {
  const page = scope();
  const found =
    page.querySelector<HTMLElement>('h2[tabindex="-1"]') ?? page.querySelector<HTMLElement>('h2, h1');
  if (found !== null) found.tabIndex = -1;
  // A calendar has no headline, but a day.
  return found ?? page.querySelector<HTMLElement>('[tabindex="0"]');
}

/** The open dialog, else the page. */
function scope(): ParentNode {
  return document.querySelector('dialog[open], [role=dialog]') ?? document.querySelector('main') ?? document;
}

function kindOf(element: Element): string {
  const parts = [element.parentElement ?? element, element].map(
    (each) => each.localName + (each.className === '' ? '' : `[class="${CSS.escape(each.className)}"]`),
  );
  return parts.join(' > ');
}
