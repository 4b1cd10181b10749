import { html } from './element.ts';

export interface PaintingPlace {
  root: ShadowRoot;
  /** Whether it is inside a control, such as a button or link, which may contain no other control. */
  isInControl: boolean;
}

const CONTROLS =
  'button, a[href], summary, label, [role="button"], [role="link"], [role="option"], [role="tab"]';

/** Elements that show no children. */
const CHILDLESS =
  'area, base, br, canvas, col, embed, hr, iframe, img, input, link, meta, object, param, picture, script, select, source, style, svg, template, textarea, track, video, audio, wbr, math';

const roots = new WeakMap<Element, ShadowRoot>();

/**
 * The widget's shadow root of a placeholder, or of an element inside it if browsers allow none on it, as on `<li>` and
 * `<button>`. Null for an element that shows no children.
 */
export function paintingPlace(placeholder: Element): PaintingPlace | null {
  if (placeholder.matches(CHILDLESS)) return null;
  const isInControl = placeholder.closest(CONTROLS) !== null;
  const root = roots.get(placeholder) ?? attach(placeholder) ?? attachInside(placeholder);
  roots.set(placeholder, root);
  return { root, isInControl };
}

function attach(element: Element): ShadowRoot | null {
  try {
    return element.attachShadow({ mode: 'open' });
  } catch {
    // Not allowed on this element, or it already has a shadow root.
    return null;
  }
}

function attachInside(placeholder: Element): ShadowRoot {
  // A `<span>`, because a `<div>` is not allowed in a paragraph or a button.
  const inside = html('span', '');
  placeholder.append(inside);
  return inside.attachShadow({ mode: 'open' });
}
