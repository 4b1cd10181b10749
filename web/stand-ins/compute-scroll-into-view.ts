/** One element to scroll, and where to. */
interface ScrollAction {
  el: Element;
  top: number;
  left: number;
}

/**
 * Stands in for the package of this name, by which downshift keeps the active option of a list in sight. Ours are plain
 * lists that scroll up and down, so the package's frames, writing modes and nested scrollers are weight alone.
 */
export function compute(option: Element, { boundary }: { boundary: Element }): ScrollAction[] {
  const { top, bottom } = option.getBoundingClientRect();
  const list = boundary.getBoundingClientRect();
  const above = top - list.top - boundary.clientTop;
  const below = bottom - list.top - boundary.clientTop - boundary.clientHeight;
  const by = above < 0 ? above : Math.max(0, below);
  return by === 0 ? [] : [{ el: boundary, top: boundary.scrollTop + by, left: boundary.scrollLeft }];
}
