import { html } from './element.ts';

export interface PaintingPlace {
  root: ShadowRoot;
  /** Whether the place is inside a control, such as a link, which must not contain another control. */
  isInControl: boolean;
  /** Whether to show the headline alone. */
  isBrief: boolean;
}

const CONTROLS =
  'button, a[href], summary, label, [role="button"], [role="link"], [role="option"], [role="tab"]';

/** Elements that do not show child elements. */
const CHILDLESS =
  'area, base, br, canvas, col, embed, hr, iframe, img, input, link, meta, object, param, picture, script, select, source, style, svg, template, textarea, track, video, audio, wbr, math';

const roots = new WeakMap<Element, ShadowRoot>();

/**
 * The widget's shadow root in a placeholder. If browsers do not allow one there, as on `<li>` and `<button>`,
 * the root is in a child element. Null for an element that does not show child elements.
 */
export function paintingPlace(placeholder: Element): PaintingPlace | null {
  if (placeholder.matches(CHILDLESS)) return null;
  const isInControl = placeholder.closest(CONTROLS) !== null;
  const isBrief = isInControl || placeholder.hasAttribute('data-price-analysis-brief');
  const root = roots.get(placeholder) ?? attach(placeholder) ?? attachInside(placeholder);
  roots.set(placeholder, root);
  return { root, isInControl, isBrief };
}

function attach(element: Element): ShadowRoot | null {
  try {
    return element.attachShadow({ mode: 'open' });
  } catch {
    // This element cannot have a shadow root, or already has one.
    return null;
  }
}

function attachInside(placeholder: Element): ShadowRoot {
  // A `<span>`, because `<div>` is not allowed in a paragraph or button.
  const inside = html('span', '');
  placeholder.append(inside);
  return inside.attachShadow({ mode: 'open' });
}
