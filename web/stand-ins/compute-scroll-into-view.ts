/** One element to scroll, and where to. */
interface ScrollAction {
  el: Element;
  top: number;
  left: number;
}

/**
 * Replaces the package `compute-scroll-into-view`, with which downshift scrolls the active option into view. Our lists
 * only scroll vertically, so the package's support for frames, writing modes and nested scrollers is not needed.
 */
export function compute(option: Element, { boundary }: { boundary: Element }): ScrollAction[] {
  const { top, bottom } = option.getBoundingClientRect();
  const list = boundary.getBoundingClientRect();
  const above = top - list.top - boundary.clientTop;
  const below = bottom - list.top - boundary.clientTop - boundary.clientHeight;
  const by = above < 0 ? above : Math.max(0, below);
  return by === 0 ? [] : [{ el: boundary, top: boundary.scrollTop + by, left: boundary.scrollLeft }];
}
